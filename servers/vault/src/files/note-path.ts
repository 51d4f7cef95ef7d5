import { isHidden } from '@errand/files';
import { VaultError } from '../vault-error.ts';
import { whyNotPortable } from './portable-name.ts';

/**
 * The folder and file names of a note's path, checked by their letters alone: nothing absolute,
 * nothing that climbs out, nothing hidden, only `.md`. What the disk makes of them is checked later.
 */
export function notePath(text: string): string[] {
  const segments = folderPath(text);
  const name = segments.at(-1);
  if (name === undefined || /[/\\]$/.test(text)) {
    throw new VaultError('invalid_input', `${quoted(text)} names a folder. Name a note in it.`);
  }
  if (!isNoteName(name)) {
    throw new VaultError(
      'invalid_input',
      `${quoted(text)} is not a note: notes end in .md. Did you mean ${quoted(`${text}.md`)}?`,
    );
  }
  return segments;
}

/** The same for a folder; `""` and `.` are the vault itself. */
export function folderPath(text: string): string[] {
  refuseMalformed(text);
  refuseOutside(text);
  if (text.includes('\\')) {
    throw new VaultError(
      'invalid_input',
      `${quoted(text)} has a backslash. Put / between folders.`,
    );
  }
  const segments = text.split('/').filter((segment) => segment !== '' && segment !== '.');
  refuseHidden(segments);
  // There, a colon opens a second stream of a file and `con.md` is the console.
  if (process.platform === 'win32') refuseUnportable(segments);
  return segments;
}

/** Refuses a name that some system could not hold, for new notes and folders. */
export function refuseUnportable(segments: readonly string[]): void {
  for (const segment of segments) {
    const reason = whyNotPortable(segment);
    if (reason === undefined) continue;
    throw new VaultError('invalid_input', `${quoted(segment)} ${reason}. Choose another name.`);
  }
}

/** Names in a path: every folder of a vault is walked, and each costs the walk down to it. */
export const maximumDepth = 64;

/** Refuses a new note in a folder so deep that no walk would find it. */
export function refuseTooDeep(folder: readonly string[]): void {
  const depth = folder.length + 1;
  if (depth <= maximumDepth) return;
  throw new VaultError(
    'invalid_input',
    `${quoted(folder.join('/'))} is too deep: with the note, the path has ${depth} names, and at most ${maximumDepth} are allowed. Choose a folder higher up.`,
    { depth, maximum: maximumDepth },
  );
}

/** Refuses `.obsidian`, `.git`, `.errand`, `.trash` and everything else that starts with a dot. */
function refuseHidden(segments: readonly string[]): void {
  const hidden = segments.find(isHidden);
  if (hidden === undefined) return;
  throw new VaultError(
    'permission_denied',
    `${quoted(hidden)} is hidden: files and folders that start with a dot are not notes.`,
  );
}

/** Whether a file with this name counts as a note. */
export function isNoteName(name: string): boolean {
  return /[^.]\.md$/i.test(name);
}

function refuseMalformed(text: string): void {
  if (!text.isWellFormed()) {
    throw new VaultError('invalid_input', 'The path is not valid Unicode.');
  }
  if (text.includes('\0')) {
    throw new VaultError('invalid_input', 'The path contains a NUL character. Remove it.');
  }
}

function refuseOutside(text: string): void {
  const readings = [text, percentDecoded(text), text.normalize('NFKC')];
  if (!readings.some(leadsOutside)) return;
  throw new VaultError(
    'permission_denied',
    `${quoted(text)} is outside the vault. Give a path from the vault's folder, such as "Projects/Plan.md".`,
  );
}

function leadsOutside(text: string): boolean {
  return (
    /^(?:[/\\]|~[/\\]|[a-z]:[/\\]|file:)/i.test(text) ||
    text.split(/[/\\]/).some((segment) => /^\.\.[\s\p{Cf}]*$/u.test(segment))
  );
}

/** Only what could smuggle a separator or a dot: a name such as `100%.md` is no URL. */
function percentDecoded(text: string): string {
  let decoded = text;
  for (let round = 0; round < 3; round++) {
    decoded = decoded.replace(/%(?:25|2e|2f|5c)/gi, decodeURIComponent);
  }
  return decoded;
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
