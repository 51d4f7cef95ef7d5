import { lstat, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FolderWatch, pollFiles, watchFolders } from '@errand/files';
import { HostError } from '@errand/host';
import { raceSignal } from '@errand/wire';

/** How long changes are gathered: editors and sync programs write many files, and each several times. */
const gather = 100;
/** Notes reported at once. */
const most = 200;

/**
 * Yields the paths of all notes of a vault, or of the named ones, and then the paths of
 * those that appeared, changed or disappeared. It is driven by its consumer, and ends with the signal.
 */
export async function* watchNotes(
  vaultFolder: string,
  named: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<readonly string[], void> {
  try {
    if (named.length > 0) yield* watchNamed(vaultFolder, named, signal);
    else yield* watchAll(vaultFolder, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** The paths of all notes of a vault. Links are not followed, so that each note is met once. */
export async function listNotes(vaultFolder: string, folder = ''): Promise<readonly string[]> {
  const entries = await readdir(join(vaultFolder, folder), { withFileTypes: true }).catch(() => []);
  const notes: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (isPassedBy(entry.name)) continue;
    if (entry.isDirectory()) notes.push(...(await listNotes(vaultFolder, path)));
    else if (entry.isFile() && isNote(entry.name)) notes.push(path);
  }
  return notes;
}

async function* watchNamed(vaultFolder: string, paths: readonly string[], signal: AbortSignal) {
  const byFile = new Map(paths.map((path) => [resolve(vaultFolder, path), path]));
  for await (const changed of pollFiles([...byFile.keys()], signal)) {
    yield changed.map((file) => byFile.get(file) ?? file);
  }
}

async function* watchAll(vaultFolder: string, signal: AbortSignal) {
  using folders = new NoteFolders(vaultFolder);
  yield* inParts(folders.walk(''));
  for (;;) {
    await raceSignal(folders.changed(), signal);
    await sleep(gather, undefined, { signal });
    yield* inParts(folders.takeChanges());
  }
}

async function* inParts(paths: AsyncIterable<string>) {
  let part = new Set<string>();
  for await (const path of paths) {
    part.add(path);
    if (part.size < most) continue;
    yield [...part];
    part = new Set();
  }
  if (part.size > 0) yield [...part];
}

/** The notes of a vault and the paths that changed, from watches on all of its folders. */
class NoteFolders implements Disposable {
  readonly #vaultFolder: string;
  readonly #watch: FolderWatch;
  readonly #notes = new Set<string>();
  readonly #changes = new Set<string>();
  #wake = Promise.withResolvers<void>();

  constructor(vaultFolder: string) {
    this.#vaultFolder = vaultFolder;
    this.#watch = watchFolders(vaultFolder, {
      persistent: true,
      changed: (path) => {
        if (path.split('/').some(isPassedBy)) return;
        this.#changes.add(path);
        this.#wake.resolve();
      },
    });
  }

  /** Watches a folder and all below it, and gives the notes that are there. */
  async *walk(folder: string): AsyncGenerator<string, void> {
    // Watch first, then read: a change in between is reported twice rather than never.
    this.#watch.add(folder);
    this.#refuseUnwatched();
    const entries = await readdir(this.#fileOf(folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (isPassedBy(entry.name)) continue;
      if (entry.isDirectory()) yield* this.walk(path);
      else if (isNote(entry.name)) {
        this.#notes.add(path);
        yield path;
      }
    }
  }

  /** Resolves when something has changed since the changes were last taken. */
  changed(): Promise<void> {
    return this.#wake.promise;
  }

  /** The notes that appeared, changed or disappeared. */
  async *takeChanges(): AsyncGenerator<string, void> {
    const paths = [...this.#changes];
    this.#changes.clear();
    this.#wake = Promise.withResolvers();
    for (const path of paths) {
      const found = await lstat(this.#fileOf(path)).catch(() => undefined);
      const isOneNote = found?.isDirectory() === false && isNote(path);
      if (isOneNote) this.#notes.add(path);
      if (isOneNote) yield path;
      else yield* this.#forget(path);
      // Another folder may have the name of a removed one.
      if (found?.isDirectory()) yield* this.walk(path);
    }
  }

  [Symbol.dispose](): void {
    this.#watch[Symbol.dispose]();
  }

  /** The removed path may have been a note or a folder. */
  *#forget(path: string) {
    this.#watch.drop(path);
    for (const note of this.#notes) {
      if (path !== '' && note !== path && !note.startsWith(`${path}/`)) continue;
      this.#notes.delete(note);
      yield note;
    }
  }

  #refuseUnwatched(): void {
    const { problem } = this.#watch;
    if (problem === undefined) return;
    const why = problem.kind === 'refused' ? problem.code : problem.kind;
    throw new HostError(
      'note_unreadable',
      `The system does not let all folders of this vault be watched (${why}).`,
      {},
      { advice: [{ kind: 'name-notes-to-watch' }] },
    );
  }

  #fileOf(path: string): string {
    return join(this.#vaultFolder, path);
  }
}

/** Hidden files and folders such as `.git` and `.obsidian`, and installed packages, contain no notes. */
function isPassedBy(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

function isNote(name: string): boolean {
  return name.toLowerCase().endsWith('.md');
}
