import * as state from '@codemirror/state';
import * as view from '@codemirror/view';
import { Buffer } from 'buffer/index.js';
import { borrowNode } from './borrow-node.ts';
import { Census, type Leftovers } from './census.ts';
import { CodeBlocks } from './code-blocks.ts';
import { Component, MarkdownRenderChild } from './component.ts';
import { Modal, Notice, Setting } from './dialogs.ts';
import { addDomHelpers } from './dom-helpers.ts';
import { EditorExtensions, editorInfoField, editorLivePreviewField } from './editor-fields.ts';
import { setIcon } from './icons.ts';
import { Keymap } from './keymap.ts';
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

export interface PluginLeftovers extends Leftovers {
  /** Subscriptions to Obsidian's events. */
  readonly events: number;
  readonly elements: readonly string[];
  readonly styles: readonly string[];
  readonly node: Readonly<Record<string, number>>;
}

declare global {
  interface Window {
    startHarness(start: Start): Harness;
  }
}

/** Obsidian as far as the plugin can see it, and the hands of the person in front of it. */
export class Harness {
  readonly blocks = new CodeBlocks();
  readonly #extensions = new EditorExtensions();
  readonly #node = borrowNode();
  readonly #census = new Census();
  readonly #workspace = new Workspace();
  readonly #vault: Vault;
  readonly #manifest: Manifest;
  #plugin: LoadedPlugin | undefined;
  #main = '';
  /** Milliseconds from `onload` until the plugin was ready. */
  loadMs = 0;

  constructor({ folder, notes, manifest, taken }: Start) {
    Object.assign(window, { process: this.#node.process, Buffer, global: window });
    addDomHelpers();
    this.#vault = new Vault(new FileSystemAdapter(this.#node, folder), notes);
    this.#manifest = manifest;
    for (const language of taken) this.blocks.register(language, () => {});
  }

  /** Loads the plugin's file as Obsidian does. */
  async load(main: string): Promise<void> {
    this.#main = main;
    const api = {
      Component,
      FileSystemAdapter,
      Keymap,
      MarkdownRenderChild,
      MarkdownView,
      Modal,
      Notice,
      Plugin,
      Setting,
      TFile,
      editorInfoField,
      editorLivePreviewField,
      setIcon,
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
      vault: strict('Vault', this.#vault),
      workspace: strict('Workspace', this.#workspace),
      secretStorage: strict('SecretStorage', new SecretStorage()),
    });
    givePlaces(app, { blocks: this.blocks, extensions: this.#extensions });
    if (module.exports.default === undefined) throw new Error('main.js exports no plugin.');
    this.#plugin = new module.exports.default(app, this.#manifest);
    const start = performance.now();
    await this.#plugin.load();
    this.loadMs = performance.now() - start;
  }

  /** A module of Node as the plugin gets it. */
  require(name: string): object {
    return this.#node.require(name);
  }

  unload(): void {
    this.#plugin?.unload();
  }

  /** Disables the plugin and enables it again at once. */
  async reload(): Promise<void> {
    this.unload();
    await this.load(this.#main);
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
    const extensions = this.#extensions;
    const ports = { vault: this.#vault, workspace: this.#workspace, blocks, extensions };
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

  closeAll(): void {
    while (this.#workspace.leaves.length > 0) this.close(0);
  }

  /** What another program does to a note. */
  async writeFile(path: string, text: string): Promise<void> {
    await this.#vault.modify(this.#file(path), text);
  }

  async renameFile(path: string, to: string): Promise<void> {
    await this.#vault.rename(this.#file(path), to);
  }

  /** A file that is on the disk already is noticed by Obsidian. */
  noticeFile(path: string): void {
    this.#vault.notice(path);
  }

  /** The files that links have opened. */
  openedFiles(): readonly string[] {
    return this.#workspace.openedFiles;
  }

  /** What another program does to the plugin's data file. */
  async writeData(text: string): Promise<void> {
    await this.#vault.adapter.write(`${this.#manifest.dir}/data.json`, text);
    await this.#plugin?.onExternalSettingsChange?.();
  }

  async deleteFile(path: string): Promise<void> {
    await this.#vault.delete(this.#file(path));
  }

  /** All that the plugin has not ended. */
  leftovers(): PluginLeftovers {
    const sheets = [...document.adoptedStyleSheets, ...document.styleSheets];
    const rules = sheets
      .filter(({ href }) => href === null)
      .flatMap((sheet) => [...sheet.cssRules]);
    return {
      ...this.#census.leftovers,
      events: this.listeners(),
      elements: [...document.querySelectorAll('[class*="errand"]')].map((each) => each.className),
      styles: rules.map(({ cssText }) => cssText).filter((text) => text.includes('errand')),
      node: this.#node.census(),
    };
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
