import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfExists } from '@errand/files';
import type { Agreement, TrustStore } from '@errand/host';
import { HostError } from '@errand/host';
import { z } from 'zod';
import { ownerOnlyFile } from './owner-only-file.ts';
import { watchFileText } from './watch-file-text.ts';

const claims = z.record(z.string(), z.string());
const tools = z.object({ agreed: claims, claimed: claims.exactOptional() });

/** Older files store the fingerprint as a plain string. */
const agreement = z.union([
  z.string().transform((fingerprint) => ({ fingerprint })),
  z.looseObject({
    fingerprint: z.string(),
    files: z.record(z.string(), z.string()).exactOptional(),
    tools: tools.exactOptional(),
  }),
]);

const schema = z.object({
  version: z.literal(1),
  /** By the real path of the vault: a copy elsewhere is another vault. */
  vaults: z.record(z.string(), z.record(z.string(), agreement)),
});

/** The approvals of the vault in a folder, in `trust.json` of the user's state folder. */
export async function openTrustFile(stateFolder: string, vaultFolder: string): Promise<TrustStore> {
  const vault = await realpath(vaultFolder);
  const path = join(stateFolder, 'trust.json');
  const file = ownerOnlyFile(path);
  const parse = (value: unknown) => {
    const result = schema.safeParse(value ?? { version: 1, vaults: {} });
    if (result.success) return result.data.vaults;
    throw new HostError(
      'settings_invalid',
      `${path} is not a file that this Errand can read. Delete it; each vault then asks again for what it starts.`,
    );
  };
  const recordOf = (value: unknown) =>
    new Map<string, Agreement>(Object.entries(parse(value)[vault] ?? {}));
  return {
    load: async () => recordOf(await file.read()),
    async save(change) {
      let saved = new Map<string, Agreement>();
      await file.change((current) => {
        saved = new Map(change(recordOf(current)));
        return { version: 1, vaults: { ...parse(current), [vault]: Object.fromEntries(saved) } };
      });
      return saved;
    },
    watch: (listener) => watchFileText([path], () => readIfExists(path), listener),
  };
}
