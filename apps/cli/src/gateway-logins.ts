import type { ListenOptions } from '@errand/gateway';
import type { ResourceSettings } from '@errand/gateway/oauth';
import type { LoginClaim, ReplicaDatabase } from '@errand/gateway/replica';
import { HostError, type Notifier } from '@errand/host';
import { isLoopbackName } from '@errand/wire/node';
import { type Command, Option } from 'commander';
import { word } from './advice.ts';
import { checkWorkerDatabase } from './check-worker.ts';
import type { CheckedPoint } from './checked-points.ts';

/** Options about people who log in to a gateway. */
export interface LoginFlags {
  readonly oauthIssuer?: string;
  readonly oauthResource?: string;
  readonly oauthScopes?: readonly string[];
}

/** Adds the options about people who log in. */
export function withLoginOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--oauth-issuer <url>', 'take access tokens of this authorization server').env(
        'ERRAND_OAUTH_ISSUER',
      ),
    )
    .addOption(
      new Option('--oauth-resource <url>', 'the address of this gateway as clients write it').env(
        'ERRAND_OAUTH_RESOURCE',
      ),
    )
    .addOption(
      new Option('--oauth-scopes <names>', 'what clients ask for when they log in, with commas')
        .env('ERRAND_OAUTH_SCOPES')
        .argParser((text) => text.split(',').map((name) => name.trim())),
    );
}

/** How people log in to the gateway; undefined when they do not. Says what is wrong with the options. */
export function loginSettings(flags: LoginFlags, isReplica: boolean): ResourceSettings | undefined {
  const { oauthIssuer: issuer, oauthResource: resource, oauthScopes: scopes } = flags;
  if (issuer === undefined && resource === undefined) return undefined;
  if (!isReplica) {
    throw wrong(
      'Logins need --replica and --database: who may use what is kept there, also for a single gateway.',
    );
  }
  if (issuer === undefined) {
    throw wrong('Name the authorization server with --oauth-issuer https://HOST/PATH.');
  }
  if (resource === undefined) {
    throw wrong(
      'Name the address of this gateway, as its clients write it, with --oauth-resource https://HOST/mcp. Tokens have to be made for it.',
    );
  }
  checkAddress('--oauth-issuer', issuer);
  checkAddress('--oauth-resource', resource);
  const odd = scopes?.find((scope) => !/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope));
  if (odd !== undefined) throw wrong(`--oauth-scopes: "${odd}" is not the name of a scope.`);
  return { issuer, resource, ...(scopes && { scopes }) };
}

function checkAddress(option: string, text: string): void {
  const url = URL.parse(text);
  if (url === null)
    throw wrong(`${option}: "${text}" is not an address such as https://HOST/PATH.`);
  const isSafe = url.protocol === 'https:' || isLoopbackName(url.hostname);
  if (!isSafe || !/^https?:$/.test(url.protocol)) {
    throw wrong(`${option}: ${text} has to begin with https://. Only this machine may use http.`);
  }
  if (url.search !== '' || url.hash !== '' || url.username !== '') {
    throw wrong(`${option}: an address without "?", "#" and user names is needed.`);
  }
}

/** What a replica answers and lets in for people who log in. */
export async function openLogins(
  settings: ResourceSettings,
  database: Pick<ReplicaDatabase, 'clients'>,
  notifier: Notifier,
): Promise<Pick<ListenOptions, 'logins' | 'hostname' | 'routes'>> {
  const { createLogins, IssuerKeys, protectedResource, TokenVerifier } = await import(
    '@errand/gateway/oauth'
  );
  const keys = new IssuerKeys({ issuer: settings.issuer, notifier });
  // Read before the first login needs them; what is wrong with them is told at once.
  keys.current().catch(() => undefined);
  const resource = protectedResource(settings);
  const document = JSON.stringify(resource.document);
  const headers = { 'content-type': 'application/json', 'cache-control': 'max-age=300' };
  const answer: NonNullable<ListenOptions['routes']>[string] = (response) =>
    response.writeHead(200, headers).end(document);
  return {
    logins: createLogins({
      verifier: new TokenVerifier(keys, settings),
      resource,
      clients: () => database.clients(),
      hint: (subject) =>
        `Whoever runs the gateway adds it with: errand gateway clients add NAME --login ${word(`sub=${subject}`)}`,
    }),
    hostname: new URL(settings.resource).hostname,
    routes: Object.fromEntries(resource.paths.map((path) => [path, answer])),
  };
}

/** Looks at what a replica would need, and starts nothing. */
export async function checkGateway(
  url: string,
  settings: ResourceSettings | undefined,
): Promise<readonly CheckedPoint[]> {
  const points = await checkWorkerDatabase({ url, space: 'gateway' });
  const ofDatabase = points.filter(({ point }) => ['database', 'connections'].includes(point));
  return settings === undefined ? ofDatabase : [...ofDatabase, await checkIssuer(settings.issuer)];
}

async function checkIssuer(issuer: string): Promise<CheckedPoint> {
  const { readIssuer } = await import('@errand/gateway/oauth');
  const point = 'issuer';
  try {
    const { keys } = await readIssuer(issuer);
    const count = keys.length === 1 ? '1 key' : `${keys.length} keys`;
    return { point, isFine: true, detail: `${issuer} answers and has ${count} for signatures.` };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { point, isFine: false, detail: `${detail} Check --oauth-issuer.` };
  }
}

/** Reads `claim=value` of `--login`, which may be given several times. */
export function readLogin(text: string, before: readonly LoginClaim[] = []): readonly LoginClaim[] {
  const at = text.indexOf('=');
  if (at > 0 && at < text.length - 1) {
    return [...before, { claim: text.slice(0, at), value: text.slice(at + 1) }];
  }
  throw wrong(
    'Write a claim of the access token and its value: sub=4711, scope=tools, groups=dev.',
  );
}

function wrong(message: string): HostError {
  return new HostError('settings_invalid', message);
}
