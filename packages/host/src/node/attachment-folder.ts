import { createHash } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { HostError } from '../host-error.ts';
import type { AttachmentStore } from '../notes/attachment-store.ts';

/** Attachments in a folder of the vault, named by the hash of their content. */
export function openAttachmentFolder(vaultFolder: string, folder: string): AttachmentStore {
  return {
    async save(content, extension, signal) {
      const name = createHash('sha256').update(content).digest('hex').slice(0, 32);
      const path = `${folder.replace(/\/+$/, '')}/${name}.${extension}`;
      const target = join(vaultFolder, path);
      if (await isWhole(target, content.byteLength)) return path;
      try {
        await mkdir(join(vaultFolder, folder), { recursive: true });
        // Two runs may save the same content at once: each prepares its own file, either may win.
        const temporary = join(vaultFolder, folder, `.${name}.${crypto.randomUUID()}.errand-tmp`);
        await writeWhole(temporary, content, signal).catch(async (error) => {
          await rm(temporary, { force: true });
          throw error;
        });
        await rename(temporary, target);
        return path;
      } catch (cause) {
        if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
        const message = `${path} cannot be written (${cause.message}). Check the folder's rights and the space left.`;
        throw new HostError('note_unreadable', message, {}, { cause });
      }
    },
  };
}

async function isWhole(path: string, size: number): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true && found.size === size;
}

async function writeWhole(path: string, content: Uint8Array, signal?: AbortSignal): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(content, { signal });
    await file.sync();
  } finally {
    await file.close();
  }
}
