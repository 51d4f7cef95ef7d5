import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { type FolderWatch, isOnRemoteDisk, watchFolders } from '@errand/files';
import type { OnFault } from '@errand/host';
import { isFolder } from '../http/needs-vault.ts';
import { listNotes, type VaultTree } from './note-list.ts';
import { isShown } from './vault-path.ts';

/** More folders than this are not watched one by one: the tree is then walked now and then. */
const mostFolders = 4_000;
/** What changes together is looked at together. */
const collectMs = 50;
/** How often a tree that cannot be watched is walked. */
const walkMs = 3_000;

export interface VaultChange {
  /** What was written, made, renamed or removed: notes, folders, other files; `''` is anything. */
  readonly paths: ReadonlySet<string>;
  readonly before: VaultTree;
  readonly after: VaultTree;
}

/** Follows the notes of a vault on disk, whoever writes them. */
export class VaultWatch implements Disposable {
  readonly #folder: string;
  readonly #onChange: (change: VaultChange) => void;
  readonly #onFault: OnFault;
  readonly #watch: FolderWatch;
  readonly #changed = new Set<string>();
  #tree: Promise<VaultTree>;
  #collecting: NodeJS.Timeout | undefined;
  #walking: NodeJS.Timeout | undefined;
  #returning: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(folder: string, onChange: (change: VaultChange) => void, onFault: OnFault) {
    this.#folder = folder;
    this.#onChange = onChange;
    this.#onFault = onFault;
    this.#watch = watchFolders(folder, {
      limit: mostFolders,
      changed: (path) => this.#note(path),
    });
    this.#tree = listNotes(folder).then((tree) => this.#follow(tree));
  }

  /** The tree as it is known now. */
  get tree(): Promise<VaultTree> {
    return this.#tree;
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    clearTimeout(this.#collecting);
    clearInterval(this.#walking);
    clearInterval(this.#returning);
    this.#watch[Symbol.dispose]();
  }

  #follow(tree: VaultTree): VaultTree {
    if (this.#isClosed) return tree;
    const before = new Set(this.#watch.folders);
    const wanted = new Set(['', ...tree.folders]);
    for (const path of before) if (!wanted.has(path)) this.#watch.drop(path);
    const fresh = [...wanted].filter((path) => this.#watch.add(path));
    if (this.#watch.problem !== undefined || isRemote(this.#folder)) {
      this.#walking ??= setInterval(() => this.#note(''), walkMs).unref();
    }
    // What was put into a new folder before it was watched is seen by looking again.
    if (before.size > 0) for (const path of fresh) this.#note(path);
    return tree;
  }

  #note(path: string): void {
    // What is hidden changes all the time: the log, an editor's state, files being prepared.
    if (this.#isClosed || !path.split('/').every(isShown)) return;
    this.#changed.add(path);
    this.#collecting ??= setTimeout(() => {
      // A look that failed must not be the last one.
      this.#looking = this.#looking.then(() => this.#look()).catch(this.#onFault);
    }, collectMs).unref();
  }

  async #look(): Promise<void> {
    this.#collecting = undefined;
    const paths = new Set(this.#changed);
    this.#changed.clear();
    const before = await this.#tree;
    await this.#awaitVault();
    if (this.#isClosed) return;
    if (!(await this.#areThere(paths, before))) {
      this.#tree = listNotes(this.#folder).then((tree) => this.#follow(tree));
    }
    const after = await this.#tree;
    if (!this.#isClosed) this.#onChange({ paths, before, after });
  }

  /** Nothing tells that the vault's own folder is back. */
  async #awaitVault(): Promise<void> {
    const isThere = await isFolder(this.#folder);
    if (this.#isClosed) return;
    if (!isThere) this.#returning ??= setInterval(() => this.#note(''), walkMs).unref();
    else {
      clearInterval(this.#returning);
      this.#returning = undefined;
    }
  }

  /** Whether only notes that are known were written to, so that the tree is as it was. */
  async #areThere(paths: ReadonlySet<string>, { notes }: VaultTree): Promise<boolean> {
    const known = new Set(notes);
    for (const path of paths) {
      if (!known.has(path)) return false;
      const found = await lstat(join(this.#folder, path)).catch(() => undefined);
      if (!found?.isFile()) return false;
    }
    return true;
  }
}

function isRemote(folder: string): boolean {
  try {
    return isOnRemoteDisk(folder);
  } catch {
    // The vault is not there at the moment.
    return false;
  }
}
