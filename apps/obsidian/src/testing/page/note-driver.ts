import type { CodeBlocks } from './code-blocks.ts';
import { Component } from './component.ts';
import type { EditorExtensions } from './editor-fields.ts';
import { MarkdownView, type Mode } from './markdown-view.ts';
import type { TFile, Vault } from './vault.ts';
import type { Leaf, Workspace } from './workspace.ts';

/** Drives notes as users and other programs do: opens and closes panes, changes files. */
export class NoteDriver {
  readonly blocks: CodeBlocks;
  protected readonly workspace: Workspace;
  protected readonly vault: Vault;
  protected readonly extensions: EditorExtensions;

  constructor(
    vault: Vault,
    workspace: Workspace,
    { blocks, extensions }: { readonly blocks: CodeBlocks; readonly extensions: EditorExtensions },
  ) {
    this.vault = vault;
    this.workspace = workspace;
    this.blocks = blocks;
    this.extensions = extensions;
  }

  /** Opens a note in a pane of its own. */
  async open(path: string, mode: Mode): Promise<void> {
    const { app } = this.workspace;
    const leaf = { view: await this.#view(path, mode), isDeferred: false, app };
    this.workspace.leaves.push(leaf);
    this.workspace.activeLeaf = leaf;
    this.workspace.trigger('file-open', this.#file(path));
    this.workspace.trigger('layout-change');
  }

  /** Has a pane with a note that nobody looked at since the program was started. */
  openLater(): void {
    const view = new Component();
    view.load();
    this.workspace.leaves.push({ view, isDeferred: true, app: this.workspace.app });
  }

  /** Looks at such a pane. */
  async reveal(index: number, path: string, mode: Mode): Promise<void> {
    const leaf = this.workspace.leaves[index];
    if (leaf === undefined) throw new Error(`There is no pane ${index}.`);
    leaf.view?.unload();
    leaf.view = await this.#view(path, mode);
    leaf.isDeferred = false;
  }

  /** Clicks into a pane. */
  activate(index: number): void {
    this.workspace.activeLeaf = this.workspace.leaves[index];
  }

  pane(index: number): MarkdownView {
    const found = this.workspace.getLeavesOfType('markdown')[index]?.view;
    if (found instanceof MarkdownView) return found;
    throw new Error(`There is no pane ${index}.`);
  }

  close(index: number): void {
    const leaf = this.workspace.getLeavesOfType('markdown')[index];
    if (leaf !== undefined) this.workspace.closeLeaf(leaf);
  }

  closeAll(): void {
    while (this.workspace.getLeavesOfType('markdown').length > 0) this.close(0);
  }

  /** What another program does to a note. */
  async writeFile(path: string, text: string): Promise<void> {
    await this.vault.modify(this.#file(path), text);
  }

  /** What another program has written to a note is noticed. */
  noticeChange(path: string): void {
    this.vault.noticeChange(this.#file(path));
  }

  async createFile(path: string, text: string): Promise<void> {
    await this.vault.create(path, text);
  }

  async renameFolder(path: string, to: string): Promise<void> {
    await this.vault.renameFolder(path, to);
  }

  async renameFile(path: string, to: string): Promise<void> {
    await this.vault.rename(this.#file(path), to);
  }

  /** A file that is on the disk already is noticed by Obsidian. */
  noticeFile(path: string): void {
    this.vault.notice(path);
  }

  /** The files that links have opened. */
  openedFiles(): readonly string[] {
    return this.workspace.openedFiles;
  }

  /** Deletes a note; its panes close. */
  async deleteFile(path: string): Promise<void> {
    const file = this.#file(path);
    await this.vault.delete(file);
    const shows = ({ view }: Leaf) => view instanceof MarkdownView && view.file === file;
    for (const leaf of this.workspace.leaves.filter(shows)) this.workspace.closeLeaf(leaf);
  }

  /** Delays the events of file changes by this many milliseconds. */
  delayEvents(milliseconds: number): void {
    this.vault.eventDelayMs = milliseconds;
  }

  async #view(path: string, mode: Mode): Promise<MarkdownView> {
    const file = this.#file(path);
    const { blocks, extensions, vault, workspace } = this;
    vault.open(file);
    const ports = { vault, workspace, blocks, extensions };
    const view = new MarkdownView(file, await vault.read(file), ports);
    document.body.append(view.contentEl);
    view.load();
    view.setMode(mode);
    return view;
  }

  #file(path: string): TFile {
    const file = this.vault.getFileByPath(path);
    if (file === null) throw new Error(`There is no note ${path}.`);
    return file;
  }
}
