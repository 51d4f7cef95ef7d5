import * as commands from '@codemirror/commands';
import * as state from '@codemirror/state';
import * as view from '@codemirror/view';
import { Buffer } from 'buffer/index.js';
import { type BorrowedNode, borrowNode } from './borrow-node.ts';
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
import { detourSince, type Loading } from './loading.ts';
import { MarkdownView } from './markdown-view.ts';
import { MetadataCache } from './metadata-cache.ts';
import type { NodeLine } from './node-line.ts';
import { hideWindow } from './node-timers.ts';
import { NoteDriver } from './note-driver.ts';
import { Notice, shownNotices } from './notice.ts';
import { type Manifest, Plugin, provideRegistries } from './plugin.ts';
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
    startHarness(start: Start): Promise<Harness>;
  }
}

/** The stand-in for Obsidian, and the actions of its user. */
export class Harness extends NoteDriver {
  readonly settings = new SettingsWindow();
  readonly secrets = new SecretStorage();
  readonly #suggests = new EditorSuggests();
  readonly #line: NodeLine;
  readonly #node: BorrowedNode;
  readonly #census = new Census();
  readonly commandLine = new CommandLine();
  readonly commands = new Commands(this.workspace);
  readonly #sideBar = new SideBar(this.workspace);
  readonly #manifest: Manifest;
  readonly #isOld: boolean;
  readonly #drawsTabs: boolean;
  #plugin: LoadedPlugin | undefined;
  #main: string | undefined;
  /** What loading the plugin took. */
  loading: Loading | undefined;

  constructor({ folder, notes, manifest, taken, drawsTabs, isOld = false }: Start, line: NodeLine) {
    const node = borrowNode(line);
    Object.assign(window, { process: node.process, Buffer, global: window });
    addDomHelpers();
    super(new Vault(new FileSystemAdapter(node, folder), notes), new Workspace(), {
      blocks: new CodeBlocks(),
      extensions: new EditorExtensions(),
    });
    this.#line = line;
    this.#node = node;
    this.#isOld = isOld;
    this.#drawsTabs = drawsTabs;
    this.#manifest = manifest;
    this.extensions.add(this.#suggests.whenTyped);
    for (const language of taken) this.blocks.register(language, () => {});
  }

  /** Loads the plugin's file as Obsidian does. */
  async load(): Promise<void> {
    this.#main ??= await (await fetch('/main.js')).text();
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
    const before = this.#node.detour();
    const start = performance.now();
    new Function('require', 'module', 'exports', this.#main)(load, module, module.exports);
    const evaluateMs = performance.now() - start;
    const app = strict(
      'App',
      conformingApp({
        vault: strict('Vault', this.vault),
        workspace: strict('Workspace', this.workspace),
        metadataCache: strict('MetadataCache', new MetadataCache(this.vault)),
        secretStorage: strict('SecretStorage', this.secrets),
      }),
    );
    this.workspace.app = app;
    this.workspace.openNote = async ({ path }, { eState }) => {
      const { leaves } = this.workspace;
      const isThere = ({ view }: Leaf) => view instanceof MarkdownView && view.file?.path === path;
      const known = leaves.find(isThere);
      if (known === undefined) await this.open(path, 'source');
      else this.workspace.activeLeaf = known;
      const opened = this.workspace.activeLeaf?.view;
      if (opened instanceof MarkdownView && eState?.line !== undefined) {
        opened.editor.setCursor({ line: eState.line, ch: 0 });
      }
    };
    provideRegistries(app, {
      blocks: this.blocks,
      commandLine: this.#isOld ? undefined : this.commandLine,
      commands: this.commands,
      extensions: this.extensions,
      settings: this.settings,
      suggests: this.#suggests,
      sideBar: this.#sideBar,
    });
    if (module.exports.default === undefined) throw new Error('main.js exports no plugin.');
    this.#plugin = new module.exports.default(app, this.#manifest);
    const begun = performance.now();
    await this.#plugin.load();
    const onloadMs = performance.now() - begun;
    this.loading = { evaluateMs, onloadMs, detour: detourSince(before, this.#node.detour()) };
    if (!this.workspace.holdsLayout) this.workspace.restoreLayout();
  }

  /** Every notice so far, as it was first. */
  get notices(): readonly string[] {
    return shownNotices();
  }

  /** Whether the plugin has the vault's host, or has said why not. */
  get hasStarted(): boolean {
    return !this.commands.isEmpty || this.notices.length > 0;
  }

  /** The layout comes only with `restoreLayout`, also for a plugin that is loaded next. */
  holdLayout(): void {
    this.workspace.holdLayout();
  }

  restoreLayout(): void {
    this.workspace.restoreLayout();
  }

  /** Minimises the window, and leaves it so. */
  hide(): void {
    hideWindow();
  }

  /** A module of Node as the plugin gets it. */
  require(name: string): object {
    return this.#node.require(name);
  }

  /** Pauses or resumes the messages of Node to the plugin. */
  holdNode(isHeld: boolean): void {
    this.#line.hold(isHeld);
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
    await this.load();
  }

  /** Closes the whole program; resolves when it may go. */
  async quit(): Promise<void> {
    const tasks: Promise<unknown>[] = [];
    this.workspace.trigger('quit', { addPromise: (task: Promise<unknown>) => tasks.push(task) });
    await Promise.all(tasks);
  }

  /** What another program does to the plugin's data file; without a text it is taken away. */
  async writeData(text: string | null): Promise<void> {
    const path = `${this.#manifest.dir}/data.json`;
    if (text === null) await this.vault.adapter.remove(path);
    else await this.vault.adapter.write(path, text);
    await this.#plugin?.onExternalSettingsChange?.();
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
    return this.vault.refs.size + this.workspace.refs.size;
  }
}
