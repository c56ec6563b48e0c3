// Of lamella-engine.js and lamella-engine-full.js: what load() takes as `factory`.
import type { ModuleFactory } from './engine.js';
declare const factory: ModuleFactory;
export default factory;
