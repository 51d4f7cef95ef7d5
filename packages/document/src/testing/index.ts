export {
  type FindFlaws,
  findLiveFlaws,
  findReadingFlaws,
  findRescanFlaws,
  findResultFlaws,
} from './find-flaws.ts';
export { liveTexts } from './live-arbitrary.ts';
export { type Random, random } from './random.ts';
export { typosOf } from './typos.ts';
