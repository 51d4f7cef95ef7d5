import * as state from '@codemirror/state';
import * as view from '@codemirror/view';
import { Buffer } from 'buffer/index.js';
import { borrowNode } from './borrow-node.ts';
import { CodeBlocks } from './code-blocks.ts';
import { CommandLine } from './command-line.ts';
import { Commands } from './commands.ts';
import { Component, MarkdownRenderChild } from './component.ts';
import { Modal, Setting } from './dialogs.ts';
import { addDomHelpers } from './dom-helpers.ts';
import { ItemView } from './item-view.ts';
import { MarkdownView, type Mode } from './markdown-view.ts';
import { MetadataCache } from './metadata-cache.ts';
import { Notice, toldSoFar } from './notice.ts';
import { givePlaces, type Manifest, Plugin } from './plugin.ts';
import { SecretStorage } from './secret-storage.ts';
import { SideBar } from './side-bar.ts';
import { strict } from './strict.ts';
import { FileSystemAdapter, TFile, Vault } from './vault.ts';
import { type Leaf, Workspace } from './workspace.ts';

export interface Start {
  readonly folder: string;
  readonly notes: readonly string[];
  readonly manifest: Manifest;
  /** Languages of other plugins. */
  readonly taken: readonly string[];
  /** As before 1.12.2: without a command line. */
  readonly isOld?: boolean;
}

interface LoadedPlugin extends Component {
  onExternalSettingsChange?(): Promise<void>;
}

declare global {
  interface Window {
    startHarness(start: Start): Harness;
  }
}

/** Obsidian as far as the plugin can see it, and the hands of the person in front of it. */
export class Harness {
  readonly blocks = new CodeBlocks();
  readonly #node = borrowNode();
  readonly #workspace = new Workspace();
  readonly commandLine = new CommandLine();
  readonly commands = new Commands(this.#workspace);
  readonly #sideBar = new SideBar(this.#workspace);
  readonly #vault: Vault;
  readonly #manifest: Manifest;
  readonly #isOld: boolean;
  #plugin: LoadedPlugin | undefined;

  constructor({ folder, notes, manifest, taken, isOld = false }: Start) {
    this.#isOld = isOld;
    Object.assign(window, { process: this.#node.process, Buffer, global: window });
    addDomHelpers();
    this.#vault = new Vault(new FileSystemAdapter(this.#node, folder), notes);
    this.#manifest = manifest;
    for (const language of taken) this.blocks.register(language, () => {});
  }

  /** Loads the plugin's file as Obsidian does. */
  async load(main: string): Promise<void> {
    const api = {
      Component,
      FileSystemAdapter,
      ItemView,
      MarkdownRenderChild,
      MarkdownView,
      Modal,
      Notice,
      Plugin,
      Setting,
      TFile,
    };
    const own: Readonly<Record<string, object>> = {
      obsidian: strict('obsidian', api),
      '@codemirror/state': state,
      '@codemirror/view': view,
    };
    const module = {
      exports: {} as { default?: new (app: object, manifest: object) => LoadedPlugin },
    };
    const load = (name: string) => own[name] ?? this.#node.require(name);
    new Function('require', 'module', 'exports', main)(load, module, module.exports);
    const app = strict('App', {
      metadataCache: strict('MetadataCache', new MetadataCache(this.#vault)),
      vault: strict('Vault', this.#vault),
      workspace: strict('Workspace', this.#workspace),
      secretStorage: strict('SecretStorage', new SecretStorage()),
    });
    this.#workspace.app = app;
    this.#workspace.openNote = async ({ path }, { eState }) => {
      const { leaves } = this.#workspace;
      const isThere = ({ view }: Leaf) => view instanceof MarkdownView && view.file.path === path;
      const known = leaves.find(isThere);
      if (known === undefined) await this.open(path, 'source');
      else this.#workspace.activeLeaf = known;
      const opened = this.#workspace.activeLeaf?.view;
      if (opened instanceof MarkdownView && eState?.line !== undefined) {
        opened.editor.setCursor({ line: eState.line, ch: 0 });
      }
    };
    givePlaces(app, {
      blocks: this.blocks,
      commandLine: this.#isOld ? undefined : this.commandLine,
      commands: this.commands,
      sideBar: this.#sideBar,
    });
    if (module.exports.default === undefined) throw new Error('main.js exports no plugin.');
    this.#plugin = new module.exports.default(app, this.#manifest);
    await this.#plugin.load();
  }

  /** Every notice so far, as it was first. */
  get told(): readonly string[] {
    return toldSoFar();
  }

  unload(): void {
    this.#plugin?.unload();
  }

  /** Closes the whole program; resolves when it may go. */
  async quit(): Promise<void> {
    const tasks: Promise<unknown>[] = [];
    this.#workspace.trigger('quit', { addPromise: (task: Promise<unknown>) => tasks.push(task) });
    await Promise.all(tasks);
  }

  /** Opens a note in a pane of its own. */
  async open(path: string, mode: Mode): Promise<void> {
    const file = this.#file(path);
    const { blocks } = this;
    const ports = { vault: this.#vault, workspace: this.#workspace, blocks };
    const opened = new MarkdownView(file, await this.#vault.read(file), ports);
    document.body.append(opened.contentEl);
    opened.load();
    opened.setMode(mode);
    const leaf = { view: opened, app: this.#workspace.app };
    this.#workspace.leaves.push(leaf);
    this.#workspace.activeLeaf = leaf;
    this.#workspace.trigger('file-open', file);
    this.#workspace.trigger('layout-change');
  }

  pane(index: number): MarkdownView {
    const found = this.#workspace.getLeavesOfType('markdown')[index]?.view;
    if (found instanceof MarkdownView) return found;
    throw new Error(`There is no pane ${index}.`);
  }

  close(index: number): void {
    const leaf = this.#workspace.getLeavesOfType('markdown')[index];
    if (leaf !== undefined) this.#workspace.closeLeaf(leaf);
  }

  /** What another program does to a note. */
  async writeFile(path: string, text: string): Promise<void> {
    await this.#vault.modify(this.#file(path), text);
  }

  async renameFile(path: string, to: string): Promise<void> {
    await this.#vault.rename(this.#file(path), to);
  }

  /** What another program does to the plugin's data file. */
  async writeData(text: string): Promise<void> {
    await this.#vault.adapter.write(`${this.#manifest.dir}/data.json`, text);
    await this.#plugin?.onExternalSettingsChange?.();
  }

  async deleteFile(path: string): Promise<void> {
    await this.#vault.delete(this.#file(path));
  }

  /** How many listeners of the plugin are left; those of the panes are not counted. */
  listeners(): number {
    const panes = this.#workspace.getLeavesOfType('markdown').length;
    return this.#vault.refs.size + this.#workspace.refs.size - panes;
  }

  #file(path: string): TFile {
    const file = this.#vault.getFileByPath(path);
    if (file === null) throw new Error(`There is no note ${path}.`);
    return file;
  }
}
