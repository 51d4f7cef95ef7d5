import * as state from '@codemirror/state';
import * as view from '@codemirror/view';
import { Buffer } from 'buffer/index.js';
import { borrowNode } from './borrow-node.ts';
import { CodeBlocks } from './code-blocks.ts';
import { Component, MarkdownRenderChild } from './component.ts';
import { conforming, conformingApp } from './conforming.ts';
import { Modal, Notice, Setting } from './dialogs.ts';
import { addDomHelpers } from './dom-helpers.ts';
import { MarkdownView, type Mode } from './markdown-view.ts';
import { givePlaces, type Manifest, Plugin } from './plugin.ts';
import { SecretStorage } from './secret-storage.ts';
import { strict } from './strict.ts';
import { FileSystemAdapter, TFile, Vault } from './vault.ts';
import { Workspace } from './workspace.ts';

export interface Start {
  readonly folder: string;
  readonly notes: readonly string[];
  readonly manifest: Manifest;
  /** Languages of other plugins. */
  readonly taken: readonly string[];
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
  readonly #vault: Vault;
  readonly #manifest: Manifest;
  #plugin: LoadedPlugin | undefined;

  constructor({ folder, notes, manifest, taken }: Start) {
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
      MarkdownRenderChild,
      MarkdownView,
      Modal,
      Notice,
      Plugin,
      Setting,
      TFile,
    };
    const own: Readonly<Record<string, object>> = {
      obsidian: strict('obsidian', conforming(api)),
      '@codemirror/state': state,
      '@codemirror/view': view,
    };
    const module = {
      exports: {} as { default?: new (app: object, manifest: object) => LoadedPlugin },
    };
    const load = (name: string) => own[name] ?? this.#node.require(name);
    new Function('require', 'module', 'exports', main)(load, module, module.exports);
    const app = strict(
      'App',
      conformingApp({
        vault: strict('Vault', this.#vault),
        workspace: strict('Workspace', this.#workspace),
        secretStorage: strict('SecretStorage', new SecretStorage()),
      }),
    );
    givePlaces(app, { blocks: this.blocks });
    if (module.exports.default === undefined) throw new Error('main.js exports no plugin.');
    this.#plugin = new module.exports.default(app, this.#manifest);
    await this.#plugin.load();
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
    this.#workspace.leaves.push({ view: opened });
  }

  pane(index: number): MarkdownView {
    const found = this.#workspace.leaves[index]?.view;
    if (found instanceof MarkdownView) return found;
    throw new Error(`There is no pane ${index}.`);
  }

  close(index: number): void {
    this.#workspace.leaves.splice(index, 1)[0]?.view.unload();
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
    const { leaves } = this.#workspace;
    return this.#vault.refs.size + this.#workspace.refs.size - leaves.length;
  }

  #file(path: string): TFile {
    const file = this.#vault.getFileByPath(path);
    if (file === null) throw new Error(`There is no note ${path}.`);
    return file;
  }
}
