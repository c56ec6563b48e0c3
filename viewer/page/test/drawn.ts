// What freed.test.mjs looks at, with the three.js that it is made of.
export { Group, Vector3 } from "three";
export { BodyView } from "../src/view/bodies.ts";
export { CutView } from "../src/view/cut.ts";
