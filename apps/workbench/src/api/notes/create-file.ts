import { openContainedRoot, openFolder, systemReason, writeDurably } from '@errand/files';
import { HostError } from '@errand/host';

/** Makes a file of the vault and the folders it stands in; false when there is something at its path. */
export async function createFile(vault: string, path: string, text: string): Promise<boolean> {
  const names = path.split('/');
  const name = names.pop() ?? '';
  try {
    using folder = openFolder(openContainedRoot(vault), names, { create: true });
    await writeDurably(folder.at(name), { bytes: Buffer.from(text), like: undefined, mode: 0o644 });
    return true;
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    if ('code' in cause && cause.code === 'EEXIST') return false;
    const why = 'syscall' in cause ? systemReason(cause) : cause.message;
    throw new HostError('note_unreadable', `${path} cannot be written: ${why}`, {}, { cause });
  }
}
