import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { openOwnerOnlyFile, readIfExists } from '@errand/files';
import type { HealthRecords, HealthStore, HostErrorCode } from '@errand/host';
import { z } from 'zod';
import { watchFileText } from './watch-file-text.ts';

const record = z.object({
  lastConnectedAt: z.number().exactOptional(),
  failureCount: z.number().exactOptional(),
  autoDisabled: z
    .object({
      at: z.number(),
      reason: z.object({ code: z.custom<HostErrorCode>(isText), message: z.string() }),
      entry: z.string(),
    })
    .exactOptional(),
});
function isText(value: unknown): boolean {
  return typeof value === 'string';
}

const schema = z.object({ servers: z.record(z.string(), record) });

/** What this machine knows of the servers of the vault in a folder, in the user's state folder. */
export async function openHealthFile(
  stateFolder: string,
  vaultFolder: string,
): Promise<HealthStore> {
  const vault = await realpath(vaultFolder);
  const name = createHash('sha256').update(vault).digest('hex').slice(0, 16);
  const path = join(stateFolder, 'health', `${name}.json`);
  const file = openOwnerOnlyFile(path);
  return {
    load: async () => recordsIn(await file.read()),
    save: (change) =>
      file.change((text) => {
        const servers = change(recordsIn(text));
        return `${JSON.stringify({ vault, servers }, undefined, 2)}\n`;
      }),
    watch: (listener) => watchFileText([path], () => readIfExists(path), listener),
  };
}

/** Damaged text counts as none: it is not written by people, and the state is found out again. */
function recordsIn(text: string | undefined): HealthRecords {
  try {
    return schema.parse(JSON.parse(text ?? '{}')).servers;
  } catch {
    return {};
  }
}
