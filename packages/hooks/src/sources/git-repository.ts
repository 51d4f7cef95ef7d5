import { open, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** Where a work tree keeps its own state, and where all work trees of its repository keep theirs. */
export interface GitFolders {
  readonly own: string;
  readonly common: string;
}

/** What is known of a repository: only files are read, so that nothing in its configuration can run a program. */
export interface GitState {
  /** The branch; undefined when HEAD is detached. */
  readonly branch: string | undefined;
  /** The commit of HEAD; undefined before the first. */
  readonly commit: string | undefined;
  /** The remote-tracking branches and tags with their commits, by full name. */
  readonly refs: ReadonlyMap<string, string>;
}

/** How far a reflog has been read. */
export interface ReflogPosition {
  readonly end: number;
  readonly lastLine: string;
}

/** A reflog as far as it is new. */
interface Reflog {
  readonly lines: readonly ReflogLine[];
  readonly position: ReflogPosition;
  /** When it was written last, in milliseconds since 1970. */
  readonly changedAt: number;
}

export interface ReflogLine {
  /** Where it begins in the file. */
  readonly at: number;
  readonly text: string;
}

/** The repository that a folder is in, as a work tree has it: `.git` is a folder, or a file that names one. */
export async function findGitFolders(folder: string): Promise<GitFolders | undefined> {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const own = await gitFolderAt(join(at, '.git'));
    if (own !== undefined) {
      const common = await readIfThere(join(own, 'commondir'));
      return { own, common: common === undefined ? own : resolve(own, common.trim()) };
    }
    if (dirname(at) === at) return undefined;
  }
}

async function gitFolderAt(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return (await readIfThere(join(path, 'HEAD'))) && path;
  if (!found?.isFile() || found.size > 10_000) return undefined;
  const [, named] = /^gitdir: (.+)$/m.exec((await readIfThere(path)) ?? '') ?? [];
  return named === undefined ? undefined : resolve(dirname(path), named.trim());
}

/** Reads HEAD, the remote-tracking branches and the tags. */
export async function readGitState(folders: GitFolders): Promise<GitState> {
  const head = ((await readIfThere(join(folders.own, 'HEAD'))) ?? '').trim();
  const [, symbolic] = /^ref: (.+)$/.exec(head) ?? [];
  // Loose files first: a ref that is being packed is then found in one place or the other.
  const refs = new Map<string, string>();
  for (const group of ['refs/remotes', 'refs/tags']) await readLoose(folders, group, refs);
  const loose = symbolic && (await readIfThere(join(folders.common, symbolic)))?.trim();
  const packed = parsePacked((await readIfThere(join(folders.common, 'packed-refs'))) ?? '');
  for (const [name, commit] of packed) {
    if (/^refs\/(?:remotes|tags)\//.test(name) && !refs.has(name)) refs.set(name, commit);
  }
  const commit = symbolic === undefined ? head : (loose ?? packed.get(symbolic));
  return {
    branch: symbolic?.replace(/^refs\/heads\//, ''),
    commit: commit !== undefined && isHash(commit) ? commit : undefined,
    refs,
  };
}

/** The folders in which refs are made, from the common folder. */
export async function refFolders({ common }: GitFolders, at = 'refs'): Promise<readonly string[]> {
  const entries = await readdir(join(common, at), { withFileTypes: true }).catch(() => []);
  const below = entries.filter((entry) => entry.isDirectory());
  return [
    at,
    ...(
      await Promise.all(below.map(({ name }) => refFolders({ own: '', common }, `${at}/${name}`)))
    ).flat(),
  ];
}

async function readLoose(
  { common, own }: GitFolders,
  at: string,
  refs: Map<string, string>,
): Promise<void> {
  const entries = await readdir(join(common, at), { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const name = `${at}/${entry.name}`;
    if (entry.isDirectory()) await readLoose({ common, own }, name, refs);
    else if (!name.endsWith('.lock')) {
      const hash = (await readIfThere(join(common, name)))?.trim() ?? '';
      // What is not a hash is `ref: …`, such as the remote's HEAD.
      if (isHash(hash)) refs.set(name, hash);
    }
  }
}

function parsePacked(text: string): ReadonlyMap<string, string> {
  const refs = new Map<string, string>();
  for (const [, hash = '', name = ''] of text.matchAll(/^([\da-f]{40,64}) (refs\/.+)$/gm))
    refs.set(name, hash);
  return refs;
}

/** More of a reflog is not read at once. */
const longestReflog = 1024 * 1024;

/**
 * The lines that were added to a reflog since a position, and the new one; undefined when there is no reflog. One
 * that was shortened is searched for the line that was the last.
 */
export async function readReflog(
  path: string,
  since: ReflogPosition | undefined,
): Promise<Reflog | undefined> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return undefined;
  await using opened = file;
  const { size, ctimeMs } = await opened.stat();
  const from = Math.max(0, size - longestReflog);
  const { buffer, bytesRead } = await opened.read(Buffer.alloc(size - from), 0, size - from, from);
  // Offsets are in bytes: latin1 has one character for each.
  const text = buffer.toString('latin1', 0, bytesRead);
  const end = text.lastIndexOf('\n') + 1;
  const begin = since === undefined ? 0 : beginOf(text, { ...since, end: since.end - from });
  const lines: ReflogLine[] = [];
  for (let at = begin; at < end; at = text.indexOf('\n', at) + 1) {
    const next = text.indexOf('\n', at);
    lines.push({ at: from + at, text: buffer.toString('utf8', at, next) });
  }
  const lastLine = text.slice(text.lastIndexOf('\n', end - 2) + 1, end);
  return { lines, position: { end: from + end, lastLine }, changedAt: ctimeMs };
}

function beginOf(text: string, { end, lastLine }: ReflogPosition): number {
  if (end >= 0 && text.slice(Math.max(0, end - lastLine.length), end) === lastLine) return end;
  const found = text.lastIndexOf(lastLine);
  return found === -1 ? text.length : found + lastLine.length;
}

function isHash(text: string): boolean {
  return /^(?:[\da-f]{40}|[\da-f]{64})$/.test(text);
}

async function readIfThere(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}
