import { errors, type JWTPayload, jwtVerify, type LocalJWKSet } from 'jose';
import { IssuerError } from './issuer-error.ts';
import type { IssuerKeys } from './issuer-keys.ts';

export type TokenCheck =
  | { readonly kind: 'valid'; readonly claims: JWTPayload }
  | { readonly kind: 'invalid'; readonly why: TokenFlaw }
  /** Whether it is valid cannot be found out at the moment. */
  | { readonly kind: 'unavailable'; readonly error: IssuerError };

/** What is wrong with a token, in words that a header may carry. */
export type TokenFlaw = (typeof flaws)[keyof typeof flaws];

const flaws = {
  expired: 'The token has expired.',
  early: 'The token is not valid yet.',
  audience: 'The token is for another resource.',
  issuer: 'The token is from another authorization server.',
  algorithm: 'The token is signed with an algorithm that is not accepted.',
  signature: 'The signature of the token is wrong.',
  key: 'The token is signed with a key that its authorization server does not have.',
  unusable: 'The token is signed with a key that cannot be used.',
  bound: 'The token is bound to a key, and this is not proved here.',
  malformed: 'The token is not an access token in the form of a JWT.',
} as const;

/** Signatures that only the issuer can make. */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
const types = ['jwt', 'at+jwt', 'application/at+jwt'];
const clockToleranceSeconds = 30;
const mostRemembered = 10_000;
/** Keys without names that are tried for one token. */
const mostTried = 4;

/** Checks access tokens of one authorization server for one resource, and remembers those that passed. */
export class TokenVerifier {
  readonly #keys: IssuerKeys;
  readonly #issuer: string;
  readonly #resource: string;
  readonly #now: () => number;
  readonly #passed = new Map<string, JWTPayload>();
  #passedWith: LocalJWKSet | undefined;

  constructor(
    keys: IssuerKeys,
    accepted: { readonly issuer: string; readonly resource: string },
    now: () => number = Date.now,
  ) {
    this.#keys = keys;
    this.#issuer = accepted.issuer;
    this.#resource = accepted.resource;
    this.#now = now;
  }

  async verify(token: string): Promise<TokenCheck> {
    try {
      const keys = await this.#keys.current();
      return this.#remembered(token, keys) ?? (await this.#check(token, keys));
    } catch (error) {
      if (error instanceof IssuerError) return { kind: 'unavailable', error };
      if (error instanceof errors.JOSEError) return { kind: 'invalid', why: flawOf(error) };
      // The cryptography refuses keys of the issuer in errors of its own.
      return { kind: 'invalid', why: flaws.unusable };
    }
  }

  /** A signature that was right stays so until the keys change; the time has to be looked at again. */
  #remembered(token: string, keys: LocalJWKSet): TokenCheck | undefined {
    if (this.#passedWith !== keys) this.#passed.clear();
    this.#passedWith = keys;
    const claims = this.#passed.get(token);
    if (claims === undefined) return undefined;
    const until = (claims.exp ?? 0) + clockToleranceSeconds;
    if (until * 1000 > this.#now()) return { kind: 'valid', claims };
    this.#passed.delete(token);
    return { kind: 'invalid', why: flaws.expired };
  }

  async #check(token: string, keys: LocalJWKSet): Promise<TokenCheck> {
    try {
      return await this.#checkWith(token, keys);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const newer = await this.#keys.newerThan(keys);
      if (newer === undefined) throw error;
      return await this.#checkWith(token, newer);
    }
  }

  async #checkWith(token: string, keys: LocalJWKSet): Promise<TokenCheck> {
    const { payload, protectedHeader } = await verifyWithAny(token, keys, {
      issuer: this.#issuer,
      audience: this.#resource,
      algorithms,
      requiredClaims: ['exp', 'sub'],
      clockTolerance: clockToleranceSeconds,
      currentDate: new Date(this.#now()),
    });
    const { typ }: { readonly typ?: unknown } = protectedHeader;
    const isType =
      typ === undefined || (typeof typ === 'string' && types.includes(typ.toLowerCase()));
    // Subjects are compared as texts: of two that are none, both would be "[object Object]".
    const hasSubject = typeof payload.sub === 'string' && payload.sub !== '';
    if (!isType || !hasSubject) return { kind: 'invalid', why: flaws.malformed };
    // Whoever stole such a token could not use it where the proof is asked for.
    if (payload.cnf !== undefined) return { kind: 'invalid', why: flaws.bound };
    if (this.#passed.size >= mostRemembered) this.#passed.clear();
    if (this.#passedWith === keys) this.#passed.set(token, payload);
    return { kind: 'valid', claims: payload };
  }
}

/** Tries each of a few keys where the token does not say which one it is signed with. */
async function verifyWithAny(
  token: string,
  keys: LocalJWKSet,
  options: NonNullable<Parameters<typeof jwtVerify>[2]>,
) {
  try {
    return await jwtVerify(token, keys, options);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    let tried = 0;
    for await (const key of error) {
      try {
        return await jwtVerify(token, key, options);
      } catch (failure) {
        tried += 1;
        if (!(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure;
        if (tried === mostTried) break;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

function flawOf(error: errors.JOSEError): TokenFlaw {
  if (error instanceof errors.JWTExpired) return flaws.expired;
  if (error instanceof errors.JWKSNoMatchingKey) return flaws.key;
  if (error instanceof errors.JOSEAlgNotAllowed) return flaws.algorithm;
  if (error instanceof errors.JWSSignatureVerificationFailed) return flaws.signature;
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'aud') return flaws.audience;
    if (error.claim === 'iss') return flaws.issuer;
    if (error.claim === 'nbf') return flaws.early;
  }
  return flaws.malformed;
}
