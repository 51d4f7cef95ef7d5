import { join } from 'node:path';
import type { SecretScope, SecretScopes } from '@errand/host';
import { HostError } from '@errand/host';
import { isRecord } from '@errand/wire';
import { z } from 'zod';
import { ownerOnlyFile } from './owner-only-file.ts';

const scope = z.union([z.literal('all'), z.array(z.string())]);
const schema = z.object({
  version: z.literal(1),
  // Not `z.record`, which drops a secret of the name __proto__.
  secrets: z.custom<Readonly<Record<string, SecretScope>>>(
    (value) =>
      isRecord(value) && Object.values(value).every((part) => scope.safeParse(part).success),
  ),
});

/** The vaults of secrets in `secret-vaults.json` of the user's state folder. */
export function openSecretScopeFile(stateFolder: string): SecretScopes {
  const path = join(stateFolder, 'secret-vaults.json');
  const file = ownerOnlyFile(path);
  const parse = (value: unknown): Map<string, SecretScope> => {
    if (value === undefined) return new Map();
    const result = schema.safeParse(value);
    if (result.success) return new Map(Object.entries(result.data.secrets));
    throw new HostError(
      'settings_invalid',
      `${path} is not a file that this Errand can read. Delete it; vaults that use a secret then ask for it once.`,
    );
  };
  return {
    load: async () => parse(await file.read()),
    save: (name, change) =>
      file.change((current) => {
        const scopes = parse(current);
        const changed = change(scopes.get(name));
        if (changed === undefined) scopes.delete(name);
        else scopes.set(name, changed);
        return { version: 1, secrets: Object.fromEntries(scopes) };
      }),
  };
}
