import { McpError, type McpErrorCode, ServiceError } from '@errand/server-kit';
import type { Access } from '../access/read-access.ts';
import type { Edition } from './bitbucket-api.ts';

/** What errors need to know about the installation. */
export interface ErrorFacts {
  readonly edition: Edition;
  readonly access: Access['kind'];
  /** As it was configured, without credentials. */
  readonly url: string;
  redact(text: string): string;
}

/** What a failed request means to the caller of a tool; other errors stay as they are. */
export function toMcpError(
  error: unknown,
  facts: ErrorFacts,
  { what, permission }: { readonly what: string; readonly permission: string },
): unknown {
  if (!(error instanceof ServiceError) || error.kind === 'cancelled') return error;
  const { code, sentence } = meaningOf(error, facts, what, permission);
  const details = {
    reason: error.kind,
    url: error.url,
    ...(error.status !== undefined && { status: error.status }),
    ...(error.retryAfterMs !== undefined && { retry_after: Math.ceil(error.retryAfterMs / 1000) }),
  };
  const isWaiting = code === 'rate_limited' && error.retryAfterMs === undefined;
  return new McpError(
    code,
    facts.redact(sentence),
    isWaiting ? { ...details, retry_after: 60 } : details,
    { cause: error },
  );
}

interface Meaning {
  readonly code: McpErrorCode;
  readonly sentence: string;
}

function meaningOf(
  error: ServiceError,
  { edition, access, url }: ErrorFacts,
  what: string,
  permission: string,
): Meaning {
  const said = saidBy(error.detail);
  const isCloud = edition === 'cloud';
  switch (error.kind) {
    case 'unauthorized':
      return { code: 'auth_required', sentence: `${refusals[edition][access]}${said}` };
    case 'forbidden':
      return {
        code: 'permission_denied',
        sentence: `Bitbucket does not allow ${what}.${said} It needs ${permission}: ${isCloud ? 'check the scopes of the token' : 'check the permission of the token and of its owner'}.`,
      };
    case 'not_found':
      return {
        code: 'not_found',
        sentence: isCloud
          ? `There is no ${what}, or these credentials cannot see it.${said}`
          : `There is no ${what}.${said} If everything is missing, check BITBUCKET_URL (${url}): many installations stand below a context path such as /bitbucket.`,
      };
    case 'conflict':
      return { code: 'conflict', sentence: `Bitbucket reports a conflict.${said}` };
    case 'rate_limited':
      return {
        code: 'rate_limited',
        sentence: 'Bitbucket asks to slow down. Try again later.',
      };
    case 'invalid':
      return {
        code: 'invalid_input',
        sentence: `Bitbucket does not accept ${what} (HTTP ${error.status ?? 'error'}).${said}`,
      };
    case 'too_large':
      return {
        code: 'parse_error',
        sentence: `The answer for ${what} is too large to read. Ask for a part of it, such as one path.`,
      };
    case 'not_json':
      return {
        code: 'mcp_unavailable',
        sentence: `${url} answers with something that is not Bitbucket's, often the login page of a proxy. Check BITBUCKET_URL and the proxy.`,
      };
    case 'redirected':
      return { code: 'mcp_unavailable', sentence: redirectSentence(error.detail, url) };
    case 'breaker_open':
      return {
        code: 'mcp_unavailable',
        sentence: 'Bitbucket failed repeatedly and is left alone for a while. Try again later.',
      };
    case 'timeout':
      return {
        code: 'mcp_unavailable',
        sentence: `Bitbucket did not answer in time for ${what}.${unknownOutcome(error)}`,
      };
    default:
      return {
        code: 'mcp_unavailable',
        sentence: `Bitbucket does not answer as it should (${error.kind}${error.status === undefined ? '' : `, HTTP ${error.status}`}).${unknownOutcome(error)}`,
      };
  }
}

/** Which kind of token goes where, for when it was not accepted. */
const refusals: Readonly<Record<Edition, Readonly<Record<Access['kind'], string>>>> = {
  cloud: {
    none: 'Bitbucket Cloud wants credentials.',
    basic:
      'Bitbucket Cloud does not accept this e-mail and API token. The token may have expired; make a new one at id.atlassian.com with scopes for Bitbucket, and set BITBUCKET_EMAIL to the e-mail of its owner.',
    token:
      'Bitbucket Cloud does not accept this access token. Access tokens are made in the settings of a repository, project or workspace; an API token of a person needs BITBUCKET_EMAIL as well.',
    oauth:
      'Bitbucket Cloud does not accept the token of this OAuth consumer. Check BITBUCKET_CLIENT_ID and BITBUCKET_CLIENT_SECRET.',
  },
  'data-center': {
    none: 'Bitbucket wants credentials.',
    basic:
      'Bitbucket does not accept this user and password. Where passwords are not allowed, make an HTTP access token and set BITBUCKET_TOKEN.',
    token:
      'Bitbucket does not accept this HTTP access token. It may have expired or been revoked; make a new one (your account, HTTP access tokens, or the settings of the project or repository) and set BITBUCKET_TOKEN.',
    oauth: 'Bitbucket Data Center takes HTTP access tokens: set BITBUCKET_TOKEN.',
  },
};

function unknownOutcome({ sent }: ServiceError): string {
  return sent === 'no'
    ? ' Try again.'
    : ' It may have been carried out: look before you try again.';
}

function redirectSentence(detail: unknown, url: string): string {
  const { location } = (detail ?? {}) as { readonly location?: string };
  const where = location === undefined ? 'elsewhere' : `to ${location}`;
  return `${url} sends requests ${where}, where the credentials do not go. If that is your Bitbucket, set BITBUCKET_URL to it.`;
}

/** What Bitbucket wrote about a refusal, in the ways of both editions. */
function saidBy(detail: unknown): string {
  const { errors, error } = (typeof detail === 'object' && detail !== null ? detail : {}) as {
    readonly errors?: readonly { readonly message?: unknown }[];
    readonly error?: {
      readonly message?: unknown;
      readonly detail?: unknown;
      readonly fields?: Readonly<Record<string, readonly string[]>>;
    };
  };
  const texts = Array.isArray(errors)
    ? errors.map((each) => each?.message)
    : [
        error?.message,
        error?.detail,
        ...Object.entries(error?.fields ?? {}).map(([name, why]) => `${name}: ${[why].flat()}`),
      ];
  const said = texts.filter((text): text is string => typeof text === 'string').join(' ');
  return said === '' ? '' : ` Bitbucket says: ${said.slice(0, 500)}`;
}
