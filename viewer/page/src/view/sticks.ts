// Boxes along the rays of a grid, all in one draw: spans of an overlap, or the columns of an LDI.

import {
  BoxGeometry, Color, DoubleSide, Group, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, ShaderMaterial, Vector3,
  type Plane,
} from "three";
import type { Axis, Grid, Vec3 } from "../engine/types.ts";

const kVertex = /* glsl */ `
  #include <common>
  #include <clipping_planes_pars_vertex>
  attribute vec4 place;   // column and row in cells, begin and end of the stick
  attribute vec3 tint;
  uniform vec3 low;       // of the grid's box
  uniform vec2 cell;
  uniform float fill;     // part of a cell that a stick takes
  uniform int axis;
  uniform float behind;   // how far behind its place a stick is, in depth alone
  varying vec3 shade;
  void main() {
    vec2 across = ( place.xy + 0.5 + position.xy * fill ) * cell;
    float along = mix( place.z, place.w, position.z + 0.5 );
    vec3 p = axis == 0 ? vec3( along, across ) : axis == 1 ? vec3( across.y, along, across.x ) : vec3( across, along );
    vec3 n = axis == 0 ? normal.zxy : axis == 1 ? normal.yzx : normal;
    vec4 mvPosition = modelViewMatrix * vec4( p + low, 1.0 );
    float light = 0.55 + 0.45 * abs( normalize( normalMatrix * n ).z );
    shade = tint * light;
    gl_Position = projectionMatrix * mvPosition;
    if ( behind > 0.0 && gl_Position.w > 0.0 ) {
      vec4 farther = projectionMatrix * ( mvPosition - vec4( 0.0, 0.0, behind, 0.0 ) );
      gl_Position.z = farther.z / farther.w * gl_Position.w;
    }
    #include <clipping_planes_vertex>
  }`;

const kFragment = /* glsl */ `
  #include <common>
  #include <clipping_planes_pars_fragment>
  varying vec3 shade;
  uniform float opacity;
  void main() {
    #include <clipping_planes_fragment>
    gl_FragColor = vec4( shade, opacity );
    #include <colorspace_fragment>
  }`;


const kAxes: Axis[] = ["x", "y", "z"];

export class Sticks extends Group {
  private geometry: InstancedBufferGeometry | null = null;
  private material = new ShaderMaterial({
    vertexShader: kVertex,
    fragmentShader: kFragment,
    side: DoubleSide,
    clipping: true,
    uniforms: {
      low: { value: new Vector3() },
      cell: { value: [1, 1] },
      fill: { value: 0.9 },
      axis: { value: 2 },
      behind: { value: 0 },
      opacity: { value: 1 },
    },
  });
  /** Once more over the glass around it, so that it keeps its colour. */
  private over = this.make_over();

  private make_over(): ShaderMaterial {
    const over = this.material.clone();
    over.uniforms = { ...this.material.uniforms, opacity: { value: 0.55 } };
    over.transparent = true;
    over.depthWrite = false;
    return over;
  }

  /** `place(i)` gives column, begin and end of the i-th stick; `color(i)` its colour. `behind`: a smooth surface of the
   * same hides them, where it has no gap, although their edges stand out of it. */
  set(
    grid: Grid, count: number, scene_origin: Vec3, fill: number,
    place: (i: number) => [number, number, number], color: (i: number) => Color,
    behind = false,
  ): void {
    this.clear();
    this.geometry?.dispose();
    this.geometry = null;
    if (count === 0) return;
    const axis = kAxes.indexOf(grid.axis);
    const u = (axis + 1) % 3;
    const v = (axis + 2) % 3;
    const places = new Float32Array(4 * count);
    const tints = new Float32Array(3 * count);
    for (let i = 0; i < count; ++i) {
      const [column, begin, end] = place(i);
      places.set([column % grid.columns, Math.floor(column / grid.columns), begin, end], 4 * i);
      color(i).toArray(tints, 3 * i);
    }
    const box = new BoxGeometry(1, 1, 1);
    const geometry = new InstancedBufferGeometry();
    geometry.setIndex(box.getIndex());
    geometry.setAttribute("position", box.getAttribute("position"));
    geometry.setAttribute("normal", box.getAttribute("normal"));
    geometry.setAttribute("place", new InstancedBufferAttribute(places, 4));
    geometry.setAttribute("tint", new InstancedBufferAttribute(tints, 3));
    geometry.instanceCount = count;
    this.geometry = geometry;
    const uniforms = this.material.uniforms;
    (uniforms.low.value as Vector3).fromArray(grid.box.min);
    uniforms.cell.value = [
      (grid.box.max[u] - grid.box.min[u]) / grid.columns,
      (grid.box.max[v] - grid.box.min[v]) / grid.rows,
    ];
    uniforms.axis.value = axis;
    uniforms.fill.value = fill;
    uniforms.behind.value = behind ? Math.hypot(...(uniforms.cell.value as [number, number])) : 0;
    const meshes = [new Mesh(geometry, this.material), new Mesh(geometry, this.over)];
    meshes[1].renderOrder = 4;
    for (const mesh of meshes) mesh.frustumCulled = false;
    this.position.set(
      grid.origin[0] - scene_origin[0], grid.origin[1] - scene_origin[1], grid.origin[2] - scene_origin[2],
    );
    this.add(...meshes);
  }

  set_planes(planes: Plane[]): void {
    for (const material of [this.material, this.over]) material.clippingPlanes = planes;
  }
}
