import type { BorrowedNode } from './borrow-node.ts';
import { Events } from './events.ts';

type Fs = typeof import('node:fs');

export class TFile {
  path: string;
  readonly stat = { ctime: 0, mtime: 0, size: 0 };

  constructor(path: string) {
    this.path = path;
  }

  get name(): string {
    return this.path.split('/').at(-1) ?? '';
  }

  get extension(): string {
    return this.path.split('.').at(-1) ?? '';
  }
}

/** The files of the vault on the disk. */
export class FileSystemAdapter {
  readonly #fs: Fs['promises'];
  readonly #now: Fs;
  readonly #folder: string;

  constructor(node: BorrowedNode, folder: string) {
    this.#fs = node.require('node:fs/promises') as Fs['promises'];
    this.#now = node.require('node:fs') as Fs;
    this.#folder = folder;
  }

  getBasePath(): string {
    return this.#folder;
  }

  exists(path: string): Promise<boolean> {
    return this.#fs.access(this.#full(path)).then(
      () => true,
      () => false,
    );
  }

  read(path: string): Promise<string> {
    return this.#fs.readFile(this.#full(path), 'utf8');
  }

  write(path: string, text: string): Promise<void> {
    return this.#fs.writeFile(this.#full(path), text);
  }

  async stat(path: string) {
    return this.statNow(path);
  }

  statNow(path: string) {
    const { ctimeMs: ctime, mtimeMs: mtime, size } = this.#now.statSync(this.#full(path));
    return { type: 'file' as const, ctime, mtime, size };
  }

  rename(path: string, to: string): Promise<void> {
    return this.#fs.rename(this.#full(path), this.#full(to));
  }

  remove(path: string): Promise<void> {
    return this.#fs.rm(this.#full(path));
  }

  /** The file itself as an address. */
  getResourcePath(path: string): string {
    const type = path.endsWith('.svg') ? 'image/svg+xml' : 'image/png';
    return `data:${type};base64,${this.#now.readFileSync(this.#full(path), 'base64')}`;
  }

  #full(path: string): string {
    return `${this.#folder}/${path}`;
  }
}

/** Notes as files; changes are serialised and reported by events. */
export class Vault extends Events {
  readonly adapter: FileSystemAdapter;
  /** The delay of file change events, for tests of late events. */
  eventDelayMs = 0;
  readonly #files = new Map<string, TFile>();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(adapter: FileSystemAdapter, paths: readonly string[]) {
    super();
    this.adapter = adapter;
    // Their times are looked up when they are opened: there may be many.
    for (const path of paths) this.#files.set(path, new TFile(path));
  }

  getFiles(): TFile[] {
    return [...this.#files.values()];
  }

  getFileByPath(path: string): TFile | null {
    return this.#files.get(path) ?? null;
  }

  /** A file that another program has written is noticed. */
  notice(path: string): void {
    this.trigger('create', this.#add(path));
  }

  /** What another program has written to a file is noticed. */
  noticeChange(file: TFile): void {
    this.#tell(file);
  }

  getResourcePath(file: TFile): string {
    return this.adapter.getResourcePath(file.path);
  }

  read(file: TFile): Promise<string> {
    return this.adapter.read(file.path);
  }

  cachedRead(file: TFile): Promise<string> {
    return this.read(file);
  }

  getMarkdownFiles(): TFile[] {
    return [...this.#files.values()].filter(({ extension }) => extension === 'md');
  }

  modify(file: TFile, text: string): Promise<void> {
    return this.process(file, () => text).then(() => undefined);
  }

  process(file: TFile, change: (text: string) => string): Promise<string> {
    const done = this.#queue.then(async () => {
      const text = change(await this.adapter.read(file.path));
      await this.adapter.write(file.path, text);
      this.#tell(file);
      return text;
    });
    this.#queue = done.catch(() => {});
    return done;
  }

  /** A file that nobody has changed yet is known as it is. */
  open(file: TFile): void {
    if (file.stat.mtime === 0) file.stat.mtime = this.adapter.statNow(file.path).mtime;
  }

  #add(path: string): TFile {
    const file = new TFile(path);
    this.open(file);
    this.#files.set(path, file);
    return file;
  }

  #tell(file: TFile): void {
    const { mtime } = this.adapter.statNow(file.path);
    const tell = () => {
      file.stat.mtime = mtime;
      this.trigger('modify', file);
    };
    if (this.eventDelayMs === 0) tell();
    else window.setTimeout(tell, this.eventDelayMs);
  }

  async rename(file: TFile, to: string): Promise<void> {
    const { path } = file;
    await this.adapter.rename(path, to);
    this.#files.delete(path);
    this.#files.set(to, file);
    file.path = to;
    this.trigger('rename', file, path);
  }

  /** A folder is renamed first, then an event is sent for each note in it. */
  async renameFolder(from: string, to: string): Promise<void> {
    await this.adapter.rename(from, to);
    this.trigger('rename', { path: to }, from);
    for (const file of [...this.#files.values()]) {
      const { path } = file;
      if (!path.startsWith(`${from}/`)) continue;
      this.#files.delete(path);
      file.path = to + path.slice(from.length);
      this.#files.set(file.path, file);
      this.trigger('rename', file, path);
    }
  }

  async create(path: string, text: string): Promise<TFile> {
    await this.adapter.write(path, text);
    const file = this.#add(path);
    this.trigger('create', file);
    return file;
  }

  async delete(file: TFile): Promise<void> {
    await this.adapter.remove(file.path);
    this.#files.delete(file.path);
    this.trigger('delete', file);
  }
}
