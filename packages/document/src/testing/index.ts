export {
  type FindFlaws,
  findReadingFlaws,
  findRescanFlaws,
  findResultFlaws,
} from './find-flaws.ts';
