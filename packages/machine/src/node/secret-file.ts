import { join } from 'node:path';
import type { SecretStore } from '@errand/host';
import { HostError } from '@errand/host';
import { isRecord } from '@errand/wire';
import { z } from 'zod';
import { ownerOnlyFile } from './owner-only-file.ts';

const schema = z.object({
  version: z.literal(1),
  // Not `z.record`, which drops a secret of the name __proto__.
  secrets: z.custom<Readonly<Record<string, string>>>(
    (value) => isRecord(value) && Object.values(value).every((part) => typeof part === 'string'),
  ),
});

/** Secrets in `secrets.json` of the user's state folder, for machines without a keychain. */
export function openSecretFile(stateFolder: string): SecretStore {
  const path = join(stateFolder, 'secrets.json');
  const file = ownerOnlyFile(path);
  const parse = (value: unknown): Map<string, string> => {
    if (value === undefined) return new Map();
    const result = schema.safeParse(value);
    if (result.success) return new Map(Object.entries(result.data.secrets));
    throw new HostError(
      'settings_invalid',
      `${path} is not a file of secrets that this Errand can read. Fix it, or delete it and set the secrets again.`,
    );
  };
  return {
    get: async (name) => parse(await file.read()).get(name),
    set: (name, value) =>
      file.change((current) => {
        const secrets = parse(current);
        if (value === undefined) secrets.delete(name);
        else secrets.set(name, value);
        return { version: 1, secrets: Object.fromEntries(secrets) };
      }),
    names: async () => [...parse(await file.read()).keys()].sort(),
  };
}
