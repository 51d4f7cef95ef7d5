import { constants, copyFileSync, linkSync, lstatSync } from 'node:fs';
import {
  type ContainedRoot,
  FilesError,
  hasNoHardLinks,
  type OpenFolder,
  openFolder,
  readFileBelow,
  removeLeftovers,
  syncFolder,
  temporaryFileIn,
  writeDurably,
} from '@errand/files';
import { McpError } from '@errand/server-kit';

/** The largest attachment that is saved. */
const largest = 50 * 1024 * 1024;

/** Writes a file under a harmless name, never over another one; answers with its path from the root. */
export async function saveAttachment(
  root: ContainedRoot,
  folders: readonly string[],
  name: string,
  content: Uint8Array,
): Promise<string> {
  if (content.length > largest) {
    throw new McpError(
      'permission_denied',
      `The attachment has ${content.length} bytes; ${largest} are allowed.`,
    );
  }
  try {
    using folder = openFolder(root, folders, { create: true });
    removeLeftovers(folder);
    using temporary = temporaryFileIn(folder);
    await writeDurably(temporary.path, { bytes: content, like: undefined, mode: 0o644 });
    const given = await giveName(root, folder, temporary.path, safeFileName(name), content);
    await syncFolder(folder);
    return [...folder.segments, given].join('/');
  } catch (cause) {
    if (cause instanceof FilesError)
      throw new McpError('permission_denied', cause.message, undefined, { cause });
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    const why = code === 'ENOSPC' ? 'The disk is full.' : `The system refused (${code}).`;
    throw new McpError('internal_error', `The attachment was not saved. ${why}`, undefined, {
      cause,
    });
  }
}

/** A name that every system can hold and that is not hidden. */
function safeFileName(name: string): string {
  const base = name.split(/[\\/]/).at(-1) ?? '';
  const plain = [...base.normalize('NFC')]
    .map((letter) =>
      letter < ' ' || /[<>:"|?*\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/.test(letter)
        ? '_'
        : letter,
    )
    .join('')
    .replace(/^[. ]+/, '')
    .replace(/[. ]+$/, '');
  const [, stem = plain, extension = ''] = /^(.*?)(\.[^.]{1,16})?$/.exec(plain) ?? [];
  const isDevice =
    /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])$/i.test(
      stem.split('.')[0]?.trim() ?? '',
    );
  let short = isDevice ? `_${stem}` : stem;
  while (Buffer.byteLength(short + extension) > 180) short = [...short].slice(0, -1).join('');
  return `${short || 'attachment'}${extension}`;
}

async function giveName(
  root: ContainedRoot,
  folder: OpenFolder,
  from: string,
  name: string,
  content: Uint8Array,
): Promise<string> {
  const [, stem = name, extension = ''] = /^(.+?)(\.[^.]{1,16})?$/.exec(name) ?? [];
  for (let copy = 1; copy <= 1000; copy++) {
    const candidate = copy === 1 ? name : `${stem} (${copy})${extension}`;
    const taken = folder.find(candidate);
    if (taken === undefined && takeName(from, folder.at(candidate))) return candidate;
    if (taken !== undefined && (await isSameFile(root, folder, taken, content))) return taken;
  }
  throw new McpError('conflict', `There are too many files named ${name}. Tidy the folder up.`);
}

/** Gives the file its name; false when that was taken this moment. */
function takeName(from: string, to: string): boolean {
  for (const give of [
    () => linkSync(from, to),
    () => copyFileSync(from, to, constants.COPYFILE_EXCL),
  ]) {
    try {
      give();
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      if (!hasNoHardLinks(error)) throw error;
    }
  }
  return false;
}

async function isSameFile(
  root: ContainedRoot,
  folder: OpenFolder,
  name: string,
  content: Uint8Array,
): Promise<boolean> {
  const there = lstatSync(folder.at(name), { throwIfNoEntry: false });
  if (there?.isFile() !== true || there.size !== content.length) return false;
  const bytes = await readFileBelow(root, [...folder.segments, name]);
  return Buffer.compare(bytes, content) === 0;
}
