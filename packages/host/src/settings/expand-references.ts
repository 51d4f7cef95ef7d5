import { adviceForCode } from '../advice.ts';
import { HostError, type HostErrorFacts } from '../host-error.ts';
import type { SecretStore } from '../secret-store.ts';
import type { ServerConfig } from '../settings.ts';
import type { AssistantEntry } from './assistant-claim.ts';
import { createRedactor } from './create-redactor.ts';
import { mapTexts } from './map-texts.ts';
import { referencePattern } from './named-references.ts';

/** Where the values of references come from. */
export interface ReferenceSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly secrets: Pick<SecretStore, 'get'>;
  /** Receives the value of each reference, so that it can be redacted from logs. */
  readonly onFound?: (reference: string, value: string) => void;
  /** Whether an entry may use a secret; without it every entry may. */
  readonly mayRead?: (secret: string, reader: SecretReader) => Promise<boolean>;
}

/** What names a secret: an entry of the settings, or a hook. */
export type SecretReader =
  | { readonly server: ServerConfig }
  | { readonly assistant: AssistantEntry }
  | { readonly hook: { readonly id: string; readonly name: string } };

/** A value ready to be used, never to be stored or shown. */
interface Expanded<Value> {
  readonly value: Value;
  /** Replaces the values in a text by their references. */
  readonly redact: (text: string) => string;
}

/** Replaces the references in what an entry starts or connects to; see `expandReferences`. */
export async function expandServer(
  server: ServerConfig,
  sources: ReferenceSources,
): Promise<Expanded<ServerConfig>> {
  const { localConfig, dockerConfig, httpConfig, sseConfig } = server;
  const launch: Partial<ServerConfig> = {
    ...(localConfig && { localConfig }),
    ...(dockerConfig && { dockerConfig }),
    ...(httpConfig && { httpConfig }),
    ...(sseConfig && { sseConfig }),
  };
  const { value, redact } = await expandReferences(launch, `Server "${server.name}"`, sources, {
    server,
  });
  return { value: { ...server, ...value }, redact };
}

/**
 * Replaces `${env:NAME}` and `${secret:NAME}` in every text of a value. Rejects with
 * `secret_missing` when something is not set, and with `untrusted` when it is kept from this reader, and
 * advises what to set.
 */
export async function expandReferences<Value>(
  value: Value,
  owner: string,
  sources: ReferenceSources,
  reader: SecretReader,
): Promise<Expanded<Value>> {
  const facts: HostErrorFacts = 'server' in reader ? { server: reader.server.name } : {};
  const values = new Map<string, string>();
  const missing: Missing[] = [];
  for (const reference of findReferences(value)) {
    const found = await lookUp(reference, sources);
    if (found === undefined) {
      missing.push(explainMissing(reference, owner));
      continue;
    }
    sources.onFound?.(reference, found);
    const { kind, name } = partsOf(reference);
    if (kind === 'secret' && (await sources.mayRead?.(name, reader)) === false) {
      throw keptBack(name, owner, facts);
    }
    values.set(reference, found);
  }
  if (missing.length > 0) throw missingError(missing, facts);
  const expand = (text: string) =>
    text.replace(referencePattern, (reference) => values.get(reference) ?? reference);
  return { value: mapTexts(value, expand), redact: createRedactor(values) };
}

function findReferences(value: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  mapTexts(value, (text) => {
    for (const [reference] of text.matchAll(referencePattern)) found.add(reference);
    return text;
  });
  return found;
}

async function lookUp(reference: string, sources: ReferenceSources): Promise<string | undefined> {
  const { kind, name } = partsOf(reference);
  return kind === 'env' ? sources.env[name] : sources.secrets.get(name);
}

function partsOf(reference: string) {
  const [, kind = '', name = ''] = new RegExp(referencePattern).exec(reference) ?? [];
  return { kind, name };
}

/** Approving an entry approves the secrets that it names, which the question lists. */
function keptBack(name: string, owner: string, facts: HostErrorFacts): HostError {
  return new HostError(
    'untrusted',
    `${owner} names the secret "${name}", which was not set for this vault, and nobody on this machine has agreed that it gets it.`,
    { ...facts, neverSent: true },
    { advice: adviceForCode('untrusted') },
  );
}

/** A missing value, and the secret that would provide it. */
interface Missing {
  readonly message: string;
  readonly name: string;
}

function explainMissing(reference: string, owner: string): Missing {
  const { kind, name } = partsOf(reference);
  const message =
    kind === 'env'
      ? `${owner} needs the environment variable ${name}, which is not set. Set it before Errand starts, or keep it as a secret and write \${secret:${name}}.`
      : `${owner} needs the secret "${name}", which is not set.`;
  return { message, name };
}

function missingError(missing: readonly Missing[], facts: HostErrorFacts): HostError {
  const message = missing.map((one) => one.message).join('\n');
  const advice = missing.map(({ name }) => ({ kind: 'set-secret', name }) as const);
  return new HostError('secret_missing', message, facts, { advice });
}
