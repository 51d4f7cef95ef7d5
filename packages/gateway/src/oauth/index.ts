export { IssuerKeys } from './issuer-keys.ts';
export { createLogins } from './logins.ts';
export { protectedResource, type ResourceSettings } from './protected-resource.ts';
export { readIssuer } from './read-issuer.ts';
export { TokenVerifier } from './token-verifier.ts';
