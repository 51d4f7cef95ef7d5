import type { SecretStore } from '../secret-store.ts';
import type { ServerConfig } from '../settings.ts';
import { mapTexts } from './map-texts.ts';
import { namedReferences, referencePattern } from './named-references.ts';
import { suggestSecretName } from './secret-name.ts';
import { findClearSecrets } from './secret-names.ts';

/** A plain-text value that becomes a secret. */
export interface TakenSecret {
  /** The variable or header that contained it. */
  readonly field: string;
  /** The secret that takes its place. */
  readonly name: string;
  readonly value: string;
}

interface WithoutSecrets {
  readonly server: ServerConfig;
  readonly secrets: readonly TakenSecret[];
}

/**
 * Replaces what looks like secrets in an entry by references: a vault is synced and shared, and what
 * another program kept at home would travel with it. Nothing is stored here.
 */
export function takeSecrets(server: ServerConfig, takenNames: Iterable<string>): WithoutSecrets {
  const names = new Set(takenNames);
  const secrets: TakenSecret[] = [];
  const take = (values: Texts | undefined): Texts | undefined => {
    if (values === undefined) return undefined;
    const clear = new Set(findClearSecrets(values));
    return Object.fromEntries(
      Object.entries(values).map(([field, value]) => {
        if (!clear.has(field)) return [field, value];
        const { scheme, rest } = splitScheme(value);
        const name = suggestSecretName(`${server.name}-${field}`, names);
        names.add(name);
        secrets.push({ field, name, value: rest });
        return [field, `${scheme}\${secret:${name}}`];
      }),
    );
  };
  const clean = <Config extends { readonly env?: Texts; readonly headers?: Texts }>(
    config: Config,
  ): Config => {
    const [env, headers] = [take(config.env), take(config.headers)];
    return { ...config, ...(env && { env }), ...(headers && { headers }) };
  };
  const { localConfig, dockerConfig, httpConfig, sseConfig } = server;
  return {
    server: {
      ...server,
      ...(localConfig && { localConfig: clean(localConfig) }),
      ...(dockerConfig && { dockerConfig: clean(dockerConfig) }),
      ...(httpConfig && { httpConfig: clean(httpConfig) }),
      ...(sseConfig && { sseConfig: clean(sseConfig) }),
    },
    secrets,
  };
}

type Texts = Readonly<Record<string, string>>;

/** In `Bearer abc` only the second word is a secret. */
export function splitScheme(value: string): { readonly scheme: string; readonly rest: string } {
  const [, scheme = '', rest = value] = /^((?:Bearer|Basic|Token) )(.+)$/i.exec(value) ?? [];
  return { scheme, rest };
}

/** Entries with their secrets filled in, to be compared with those of other programs and never stored or shown. */
export function withSecretValues(
  servers: readonly ServerConfig[],
  secrets: Pick<SecretStore, 'get'>,
): Promise<readonly ServerConfig[]> {
  const fill = async (server: ServerConfig) => {
    const values = new Map<string, string>();
    for (const name of namedReferences(server).secrets) {
      const value = await secrets.get(name);
      if (value !== undefined) values.set(`\${secret:${name}}`, value);
    }
    if (values.size === 0) return server;
    const filled = (text: string) =>
      text.replace(referencePattern, (reference) => values.get(reference) ?? reference);
    return mapTexts(server, filled);
  };
  return Promise.all(servers.map(fill));
}
