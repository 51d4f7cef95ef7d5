export { findClientFlaws } from './find-client-flaws.ts';
