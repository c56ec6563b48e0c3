// How things look. Objects are either solid or like glass: clear where one looks straight through, denser at the rim,
// so that shapes stay readable and what is inside shows.

import { Color, FrontSide, DoubleSide, MeshStandardMaterial, type Plane } from "three";

/** Draws a little farther away: by one pixel's slope and a few steps of the depth. An overlap's surface is the objects'
 * own, and without this the two are seen in patches. */
export const kBehind = { polygonOffsetFactor: 1, polygonOffsetUnits: 4 } as const;

export class BodyMaterial extends MeshStandardMaterial {
  private density = { value: 0 };
  private rim = { value: 0 };

  constructor(color: string, flat: boolean) {
    super({ color, roughness: 0.62, metalness: 0, flatShading: flat, side: DoubleSide, ...kBehind });
    this.onBeforeCompile = (shader) => {
      shader.uniforms.glass_density = this.density;
      shader.uniforms.glass_rim = this.rim;
      shader.fragmentShader = shader.fragmentShader
        .replace("void main() {", "uniform float glass_density;\nuniform float glass_rim;\nvoid main() {")
        .replace(
          "#include <opaque_fragment>",
          `#ifndef OPAQUE
            float facing = abs( dot( normal, normalize( vViewPosition ) ) );
            float glass = mix( glass_rim, glass_density, smoothstep( 0.0, 0.85, facing ) );
            #ifdef USE_COLOR_ALPHA
              diffuseColor.a = mix( glass, 1.0, vColor.a );
            #else
              diffuseColor.a = glass;
            #endif
          #endif
          #include <opaque_fragment>`,
        );
    };
    this.customProgramCacheKey = () => "lamella-body";
  }

  /** Glass of this density (0 to 1, seen straight on), or solid. Glass is behind an overlap's surface. */
  set_glass(glass: boolean, density = 0.16, rim = 0.62): void {
    this.density.value = density;
    this.rim.value = rim;
    if (this.transparent === glass) return;
    this.transparent = glass;
    this.depthWrite = !glass;
    this.polygonOffset = glass;
    this.needsUpdate = true;
    this.choose_side();
  }

  /** Glass shows its near side alone; what is painted shows from within as well. */
  private choose_side(): void {
    this.side = this.transparent && !this.vertexColors ? FrontSide : DoubleSide;
  }

  /** A little light of its own. */
  set_selected(selected: boolean): void {
    this.emissive.copy(this.color);
    this.emissiveIntensity = selected ? 0.22 : 0;
  }

  set_painted(painted: boolean, color: string): void {
    this.color = new Color(painted ? "#ffffff" : color);
    if (this.vertexColors === painted) return;
    this.vertexColors = painted;
    this.needsUpdate = true;
    this.choose_side();
  }

  set_planes(planes: Plane[]): void {
    if ((this.clippingPlanes?.length ?? 0) !== planes.length) this.needsUpdate = true;
    this.clippingPlanes = planes;
  }
}
