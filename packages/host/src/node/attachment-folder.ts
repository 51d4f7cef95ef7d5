import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { HostError } from '../host-error.ts';
import type { AttachmentStore } from '../notes/attachment-store.ts';
import { replaceFile } from './replace-file.ts';

/** Attachments in a folder of the vault, named by the hash of their content. */
export function openAttachmentFolder(vaultFolder: string, folder: string): AttachmentStore {
  return {
    async save(content, extension) {
      const name = createHash('sha256').update(content).digest('hex').slice(0, 32);
      const path = `${folder.replace(/\/+$/, '')}/${name}.${extension}`;
      const target = join(vaultFolder, path);
      try {
        if (!(await isWhole(target, content.byteLength))) await replaceFile(target, content);
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
