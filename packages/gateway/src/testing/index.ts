export { findClientFlaws } from './find-client-flaws.ts';
export { TestIssuer } from './test-issuer.ts';
