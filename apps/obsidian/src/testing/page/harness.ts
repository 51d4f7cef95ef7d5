import * as commands from '@codemirror/commands';
import * as state from '@codemirror/state';
import * as view from '@codemirror/view';
import { Buffer } from 'buffer/index.js';
import { borrowNode } from './borrow-node.ts';
import { Census, type Leftovers } from './census.ts';
import { CodeBlocks } from './code-blocks.ts';
import { CommandLine } from './command-line.ts';
import { Commands } from './commands.ts';
import { Component, MarkdownRenderChild } from './component.ts';
import { conforming, conformingApp } from './conforming.ts';
import { Modal } from './dialogs.ts';
import { addDomHelpers } from './dom-helpers.ts';
import { EditorExtensions, editorInfoField, editorLivePreviewField } from './editor-fields.ts';
import { EditorSuggest, EditorSuggests } from './editor-suggest.ts';
import { setIcon } from './icons.ts';
import { ItemView } from './item-view.ts';
import { Keymap } from './keymap.ts';
import { MarkdownView, type Mode } from './markdown-view.ts';
import { MetadataCache } from './metadata-cache.ts';
import { Notice, toldSoFar } from './notice.ts';
import { givePlaces, type Manifest, Plugin } from './plugin.ts';
import { SecretStorage } from './secret-storage.ts';
import { SecretComponent } from './settings/secret-component.ts';
import { Setting } from './settings/setting.ts';
import { DescribedSettingTab, DrawnSettingTab } from './settings/setting-tab.ts';
import { SettingsWindow } from './settings/settings-window.ts';
import { SideBar } from './side-bar.ts';
import { strict } from './strict.ts';
import { FuzzySuggestModal, SuggestModal } from './suggest-modal.ts';
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
  /** Before 1.13, tabs of the settings draw themselves. */
  readonly drawsTabs: boolean;
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
  readonly settings = new SettingsWindow();
  readonly secrets = new SecretStorage();
  readonly #extensions = new EditorExtensions();
  readonly #suggests = new EditorSuggests();
  readonly #node = borrowNode();
  readonly #census = new Census();
  readonly #workspace = new Workspace();
  readonly commandLine = new CommandLine();
  readonly commands = new Commands(this.#workspace);
  readonly #sideBar = new SideBar(this.#workspace);
  readonly #vault: Vault;
  readonly #manifest: Manifest;
  readonly #isOld: boolean;
  readonly #drawsTabs: boolean;
  #plugin: LoadedPlugin | undefined;
  #main = '';
  /** Milliseconds from `onload` until the plugin was ready. */
  loadMs = 0;

  constructor({ folder, notes, manifest, taken, drawsTabs, isOld = false }: Start) {
    this.#isOld = isOld;
    this.#drawsTabs = drawsTabs;
    Object.assign(window, { process: this.#node.process, Buffer, global: window });
    addDomHelpers();
    this.#vault = new Vault(new FileSystemAdapter(this.#node, folder), notes);
    this.#manifest = manifest;
    this.#extensions.add(this.#suggests.whenTyped);
    for (const language of taken) this.blocks.register(language, () => {});
  }

  /** Loads the plugin's file as Obsidian does. */
  async load(main: string): Promise<void> {
    this.#main = main;
    const api = {
      Component,
      EditorSuggest,
      FileSystemAdapter,
      FuzzySuggestModal,
      ItemView,
      Keymap,
      MarkdownRenderChild,
      MarkdownView,
      Modal,
      Notice,
      Plugin,
      PluginSettingTab: this.#drawsTabs ? DrawnSettingTab : DescribedSettingTab,
      SecretComponent,
      Setting,
      SuggestModal,
      TFile,
      editorInfoField,
      editorLivePreviewField,
      requireApiVersion: (version: string) =>
        version.localeCompare(this.#version, 'en', { numeric: true }) <= 0,
      setIcon,
    };
    const own: Readonly<Record<string, object>> = {
      obsidian: strict('obsidian', conforming(api)),
      '@codemirror/commands': commands,
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
        metadataCache: strict('MetadataCache', new MetadataCache(this.#vault)),
        secretStorage: strict('SecretStorage', this.secrets),
      }),
    );
    this.#workspace.app = app;
    this.#workspace.openNote = async ({ path }, { eState }) => {
      const { leaves } = this.#workspace;
      const isThere = ({ view }: Leaf) => view instanceof MarkdownView && view.file?.path === path;
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
      extensions: this.#extensions,
      settings: this.settings,
      suggests: this.#suggests,
      sideBar: this.#sideBar,
    });
    if (module.exports.default === undefined) throw new Error('main.js exports no plugin.');
    this.#plugin = new module.exports.default(app, this.#manifest);
    const start = performance.now();
    await this.#plugin.load();
    this.loadMs = performance.now() - start;
  }

  /** Every notice so far, as it was first. */
  get told(): readonly string[] {
    return toldSoFar();
  }

  /** A module of Node as the plugin gets it. */
  require(name: string): object {
    return this.#node.require(name);
  }

  get #version(): string {
    if (this.#isOld) return '1.11.4';
    return this.#drawsTabs ? '1.12.7' : '1.13.1';
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
    const { app } = this.#workspace;
    const leaf = { view: await this.#view(path, mode), isDeferred: false, app };
    this.#workspace.leaves.push(leaf);
    this.#workspace.activeLeaf = leaf;
    this.#workspace.trigger('file-open', this.#file(path));
    this.#workspace.trigger('layout-change');
  }

  /** Has a pane with a note that nobody looked at since the program was started. */
  openLater(): void {
    const view = new Component();
    view.load();
    this.#workspace.leaves.push({ view, isDeferred: true, app: this.#workspace.app });
  }

  /** Looks at such a pane. */
  async reveal(index: number, path: string, mode: Mode): Promise<void> {
    const leaf = this.#workspace.leaves[index];
    if (leaf === undefined) throw new Error(`There is no pane ${index}.`);
    leaf.view?.unload();
    leaf.view = await this.#view(path, mode);
    leaf.isDeferred = false;
  }

  /** Clicks into a pane. */
  activate(index: number): void {
    this.#workspace.activeLeaf = this.#workspace.leaves[index];
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

  closeAll(): void {
    while (this.#workspace.leaves.length > 0) this.close(0);
  }

  /** What another program does to a note. */
  async writeFile(path: string, text: string): Promise<void> {
    await this.#vault.modify(this.#file(path), text);
  }

  async createFile(path: string, text: string): Promise<void> {
    await this.#vault.create(path, text);
  }

  async renameFolder(path: string, to: string): Promise<void> {
    await this.#vault.renameFolder(path, to);
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

  /** Deletes a note; its panes close. */
  async deleteFile(path: string): Promise<void> {
    const file = this.#file(path);
    await this.#vault.delete(file);
    const shows = ({ view }: Leaf) => view instanceof MarkdownView && view.file === file;
    for (let at = this.#workspace.leaves.findIndex(shows); at !== -1; ) {
      this.close(at);
      at = this.#workspace.leaves.findIndex(shows);
    }
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
    return this.#vault.refs.size + this.#workspace.refs.size;
  }

  /** The nasty variant: that a file changed is told so many milliseconds late. */
  tellLate(milliseconds: number): void {
    this.#vault.tellsAfter = milliseconds;
  }

  async #view(path: string, mode: Mode): Promise<MarkdownView> {
    const file = this.#file(path);
    const { blocks } = this;
    const extensions = this.#extensions;
    const ports = { vault: this.#vault, workspace: this.#workspace, blocks, extensions };
    const view = new MarkdownView(file, await this.#vault.read(file), ports);
    document.body.append(view.contentEl);
    view.load();
    view.setMode(mode);
    return view;
  }

  #file(path: string): TFile {
    const file = this.#vault.getFileByPath(path);
    if (file === null) throw new Error(`There is no note ${path}.`);
    return file;
  }
}
