import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import {
  FilesError,
  openContainedRoot,
  openFolder,
  replaceFile,
  systemReason,
} from '@errand/files';
import type { AttachmentStore } from '@errand/host';
import { HostError } from '@errand/host';

/**
 * Attachments in a folder of the vault, named by the hash of their content. Links on the way to that
 * folder are followed as long as they stay in the vault and lead to nothing hidden.
 */
export function openAttachmentFolder(vaultFolder: string, folder: string): AttachmentStore {
  return {
    async save(content, extension) {
      const hash = createHash('sha256').update(content).digest('hex').slice(0, 32);
      const name = `${hash}.${extension}`;
      const path = [...segmentsOf(folder), name].join('/');
      try {
        using opened = openFolder(openContainedRoot(vaultFolder), segmentsOf(folder), {
          create: true,
        });
        const found = lstatSync(opened.at(name), { throwIfNoEntry: false });
        const isWhole = found?.isFile() === true && found.size === content.byteLength;
        if (!isWhole) await replaceFile({ folder: opened, name }, content);
        return path;
      } catch (cause) {
        throw unwritten(path, cause);
      }
    },
  };
}

function segmentsOf(folder: string): readonly string[] {
  const separators = process.platform === 'win32' ? /[\\/]+/ : /\/+/;
  const segments = folder.split(separators).filter((name) => name !== '' && name !== '.');
  const isAbsolute = /^(?:[\\/]|[a-z]:)/i.test(folder);
  if (!isAbsolute && !segments.includes('..') && !folder.includes('\0')) return segments;
  throw new HostError(
    'settings_invalid',
    `The folder of attachments, ${JSON.stringify(folder)}, is not one of the vault. Change attachmentsFolder in the settings.`,
  );
}

/** The error to throw for an error of the file system. */
function unwritten(path: string, cause: unknown): unknown {
  if (cause instanceof FilesError) {
    const message = `${path} is not written: ${cause.message} Or name another folder as attachmentsFolder in the settings.`;
    return new HostError('note_unreadable', message, {}, { cause });
  }
  if (!(cause instanceof Error && 'syscall' in cause)) return cause;
  const message = `${path} cannot be written (${systemReason(cause)}). Check the folder's permissions and the free disk space.`;
  return new HostError('note_unreadable', message, {}, { cause });
}
