// The drawing surface: renderer, camera, light, the ground's grid. Draws only when something changed.
//
// Coordinates on the stage are those of the world minus `origin`, in doubles, so that meshes far from the world's
// origin keep their digits when they become floats.

import {
  AmbientLight, Color, DirectionalLight, GridHelper, HemisphereLight, MathUtils, PerspectiveCamera, Scene, Vector3,
  WebGLRenderer, type LineBasicMaterial,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Box, Vec3 } from "../engine/types.ts";
import { box_corners, diagonal, middle, sub } from "../state/math.ts";

export class Stage {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(35, 1, 0.01, 100);
  readonly renderer: WebGLRenderer;
  readonly controls: OrbitControls;
  /** The world's point that is drawn at 0. */
  origin: Vec3 = [0, 0, 0];
  /** Called before each drawing, and after it. */
  before: (() => void)[] = [];
  after: (() => void)[] = [];
  frames = 0;

  private box: Box = { min: [-1, -1, -1], max: [1, 1, 1] };
  private grid: GridHelper | null = null;
  private grid_shown = true;
  private asked = false;
  private flight: { from: Vector3; to: Vector3; from_target: Vector3; to_target: Vector3; start: number } | null = null;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true, stencil: true, powerPreference: "high-performance" });
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.renderer.localClippingEnabled = true;
    this.camera.up.set(0, 0, 1);
    this.camera.position.set(2.2, -3.2, 1.9);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.controls.dampingFactor = 0.18;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => this.invalidate());
    this.controls.addEventListener("start", () => (this.flight = null));

    const key = new DirectionalLight(0xffffff, 1.9);
    key.position.set(-0.6, 0.9, 1.2);
    const fill = new DirectionalLight(0xffffff, 0.7);
    fill.position.set(1, -0.4, 0.6);
    this.camera.add(key, fill);
    this.scene.add(this.camera, new HemisphereLight(0xffffff, 0x8d99a8, 1.25), new AmbientLight(0xffffff, 0.25));
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
    this.resize();
  }

  invalidate(): void {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame((now) => this.draw(now));
  }

  private draw(now: number): void {
    this.asked = false;
    if (this.flight) this.fly(now);
    this.controls.update();
    this.set_depth_range();
    for (const f of this.before) f();
    this.renderer.render(this.scene, this.camera);
    ++this.frames;
    for (const f of this.after) f();
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement!;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.invalidate();
  }

  get size(): { width: number; height: number } {
    return { width: this.canvas.clientWidth, height: this.canvas.clientHeight };
  }

  /** A world's point on the stage. */
  at(p: Vec3): Vector3 {
    return new Vector3(p[0] - this.origin[0], p[1] - this.origin[1], p[2] - this.origin[2]);
  }
  world(p: Vector3): Vec3 {
    return [p.x + this.origin[0], p.y + this.origin[1], p.z + this.origin[2]];
  }

  /** What there is to see. The first call after `recenter` chooses the origin. */
  set_bounds(box: Box): void {
    this.box = box;
    this.place_grid();
  }

  get bounds(): Box {
    return this.box;
  }

  /** Near 0 the world's own coordinates are kept, so that figures can be compared by eye. */
  recenter(box: Box): void {
    const size = diagonal(box) || 1;
    const at = middle(box);
    this.origin = Math.hypot(...at) < 100 * size ? [0, 0, 0] : at;
  }

  show_grid(shown: boolean): void {
    this.grid_shown = shown;
    if (this.grid) this.grid.visible = shown;
    this.invalidate();
  }

  private place_grid(): void {
    const width = Math.max(this.box.max[0] - this.box.min[0], this.box.max[1] - this.box.min[1]) || 1;
    const cell = 10 ** Math.floor(Math.log10(width * 0.6));
    const cells = 2 * Math.ceil((1.3 * width) / cell / 2) * 2;
    if (this.grid) {
      this.scene.remove(this.grid);
      this.grid.dispose();
    }
    this.grid = new GridHelper(cells * cell, cells * (cells < 12 ? 2 : 1));
    this.grid.rotation.x = Math.PI / 2;
    const center = this.at(middle(this.box));
    const snap = (x: number, k: number): number => Math.round((x + this.origin[k]) / cell) * cell - this.origin[k];
    this.grid.position.set(snap(center.x, 0), snap(center.y, 1), this.box.min[2] - this.origin[2] - 0.002 * width);
    const material = this.grid.material as LineBasicMaterial;
    material.transparent = true;
    material.depthWrite = false;
    material.vertexColors = false;
    this.grid.renderOrder = -1;
    this.grid.visible = this.grid_shown;
    this.color_grid();
    this.scene.add(this.grid);
    this.invalidate();
  }

  private grid_color = "#000000";
  private grid_opacity = 0.1;
  set_theme(dark: boolean): void {
    this.grid_color = dark ? "#ffffff" : "#1c2733";
    this.grid_opacity = dark ? 0.09 : 0.1;
    this.color_grid();
    this.invalidate();
  }
  private color_grid(): void {
    if (!this.grid) return;
    const material = this.grid.material as LineBasicMaterial;
    material.color = new Color(this.grid_color);
    material.opacity = this.grid_opacity;
  }

  /** Turns the camera to all of a box, from where it looks now or along `looking`. */
  fit(box: Box, looking?: Vector3, fly = true): void {
    const target = this.at(middle(box));
    const way = looking?.clone() ?? new Vector3().subVectors(this.controls.target, this.camera.position);
    if (way.lengthSq() === 0) way.set(-0.5, 0.75, -0.45);
    way.normalize();
    const distance = Math.max(1.02 * this.distance_for(box, way), 1e-9);
    this.look(target.clone().addScaledVector(way, -distance), target, fly);
  }

  /** How far away along `way` the camera sees all corners of the box. */
  private distance_for(box: Box, way: Vector3): number {
    const right = new Vector3().crossVectors(way, this.camera.up);
    if (right.lengthSq() < 1e-12) right.set(1, 0, 0);
    right.normalize();
    const up = new Vector3().crossVectors(right, way);
    const vertical = Math.tan(MathUtils.degToRad(this.camera.fov) / 2);
    const horizontal = vertical * this.camera.aspect;
    const center = this.at(middle(box));
    const needed = box_corners(box).map((corner) => {
      const p = this.at(corner).sub(center);
      return Math.max(Math.abs(p.dot(right)) / horizontal, Math.abs(p.dot(up)) / vertical) - p.dot(way);
    });
    return Math.max(...needed);
  }

  look(eye: Vector3, target: Vector3, fly = true): void {
    if (fly && this.controls.enableDamping) {
      this.flight = {
        from: this.camera.position.clone(),
        to: eye,
        from_target: this.controls.target.clone(),
        to_target: target,
        start: performance.now(),
      };
    } else {
      this.camera.position.copy(eye);
      this.controls.target.copy(target);
    }
    this.invalidate();
  }

  private fly(now: number): void {
    const f = this.flight!;
    const t = Math.min(1, Math.max(0, (now - f.start) / 260));
    const s = t * t * (3 - 2 * t);
    this.controls.target.lerpVectors(f.from_target, f.to_target, s);
    // Around the target rather than through it.
    const a = f.from.clone().sub(f.from_target);
    const b = f.to.clone().sub(f.to_target);
    const size = MathUtils.lerp(a.length(), b.length(), s);
    this.camera.position.copy(a.lerp(b, s).setLength(size).add(this.controls.target));
    if (t >= 1) {
      this.camera.position.copy(f.to);
      this.flight = null;
    } else {
      this.invalidate();
    }
  }

  get flying(): boolean {
    return this.flight !== null;
  }

  private set_depth_range(): void {
    const radius = Math.max(diagonal(this.box), 1e-9);
    const distance = this.camera.position.distanceTo(this.at(middle(this.box)));
    // What one looks at closely may be tiny beside all that there is.
    const close = 0.1 * this.camera.position.distanceTo(this.controls.target);
    const near = Math.max(distance - 2.5 * radius, Math.min(Math.max(distance * 2e-3, radius * 1e-4), close));
    const far = distance + 6 * radius;
    if (this.camera.near === near && this.camera.far === far) return;
    this.camera.near = near;
    this.camera.far = far;
    this.camera.updateProjectionMatrix();
  }

  /** Turns the camera about its target, for keys: in radians. */
  orbit(right: number, up: number): void {
    const way = this.camera.position.clone().sub(this.controls.target);
    const size = way.length();
    const azimuth = Math.atan2(way.y, way.x) + right;
    const height = MathUtils.clamp(Math.asin(way.z / size) + up, -1.55, 1.55);
    way.set(Math.cos(azimuth) * Math.cos(height), Math.sin(azimuth) * Math.cos(height), Math.sin(height));
    this.camera.position.copy(this.controls.target).addScaledVector(way, size);
    this.invalidate();
  }

  zoom(factor: number): void {
    this.camera.position.sub(this.controls.target).multiplyScalar(factor).add(this.controls.target);
    this.invalidate();
  }

  camera_state(): { eye: Vec3; target: Vec3 } {
    return { eye: this.world(this.camera.position), target: this.world(this.controls.target) };
  }
  set_camera_state(state: { eye: Vec3; target: Vec3 }): void {
    this.look(this.at(state.eye), this.at(state.target), false);
  }

  /** From a pointer's place on the page to -1 … 1. */
  pointer(event: { clientX: number; clientY: number }): { x: number; y: number } {
    const box = this.canvas.getBoundingClientRect();
    return {
      x: ((event.clientX - box.left) / box.width) * 2 - 1,
      y: 1 - ((event.clientY - box.top) / box.height) * 2,
    };
  }

  relative(p: Vec3): Vec3 {
    return sub(p, this.origin);
  }
}
