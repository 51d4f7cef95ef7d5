export { askEngine, type EngineAnswer } from './ask-engine.ts';
