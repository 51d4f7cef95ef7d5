import { createHash } from 'node:crypto';
import { mkdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileAt, replaceFile } from '@errand/files';
import type { z } from 'zod';
import type { SourcesPorts } from './sources-ports.ts';

/** What a source remembers of a vault, in a file that only its owner can read. */
export interface StateFile<Value> {
  /** Undefined when there is none, or none that can be understood: nobody writes it by hand. */
  read(): Promise<Value | undefined>;
  write(value: Value): Promise<void>;
}

/** Opens such a file; it and its folder are made when something is first written. */
export async function openStateFile<Value>(
  { stateFolder, folder }: Pick<SourcesPorts, 'stateFolder' | 'folder'>,
  name: string,
  schema: z.ZodType<Value>,
): Promise<StateFile<Value>> {
  const vault = createHash('sha256').update(await realpath(folder));
  const path = join(stateFolder, 'hooks', vault.digest('hex').slice(0, 16), name);
  return {
    async read() {
      try {
        return schema.safeParse(JSON.parse(await readFile(path, 'utf8'))).data;
      } catch (error) {
        if (error instanceof SyntaxError) return undefined;
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    async write(value) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      using file = await fileAt(path);
      await replaceFile(file, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600 });
    },
  };
}
