import type { Extension } from '@codemirror/state';
import type { PluginManifest } from 'obsidian';
import type { CodeBlocks } from './code-blocks.ts';
import type { CommandLine } from './command-line.ts';
import type { Command, Commands } from './commands.ts';
import { Component } from './component.ts';
import type { EditorExtensions } from './editor-fields.ts';
import type { EditorSuggest, EditorSuggests } from './editor-suggest.ts';
import type { DrawnSettingTab } from './settings/setting-tab.ts';
import type { SettingsWindow } from './settings/settings-window.ts';
import type { SideBar } from './side-bar.ts';

export interface Manifest extends PluginManifest {
  readonly dir: string;
}

/** The registries that a plugin adds to. */
export interface PluginRegistries {
  readonly blocks: CodeBlocks;
  readonly commandLine: CommandLine | undefined;
  readonly commands: Commands;
  readonly extensions: EditorExtensions;
  readonly suggests: EditorSuggests;
  readonly sideBar: SideBar;
  readonly settings: SettingsWindow;
}

const registriesByApp = new WeakMap<object, PluginRegistries>();

/** Sets the registries for the plugins of an app. */
export function provideRegistries(app: object, registries: PluginRegistries): void {
  registriesByApp.set(app, registries);
}

/** What a plugin extends; what it adds is taken back when it is unloaded. */
export class Plugin extends Component {
  readonly app: object;
  readonly manifest: Manifest;
  readonly #registries: PluginRegistries;

  constructor(app: object, manifest: Manifest) {
    super();
    this.app = app;
    this.manifest = manifest;
    const registries = registriesByApp.get(app);
    if (registries === undefined) throw new Error('The app of a plugin is given by the harness.');
    this.#registries = registries;
  }

  addSettingTab(tab: DrawnSettingTab): void {
    this.register(this.#registries.settings.add(tab));
  }

  /** Obsidian puts the plugin's id before the command's and its name before the command's. */
  addCommand(command: Command): Command {
    const { id, name } = this.manifest;
    const added = {
      ...command,
      id: `${id}:${command.id}`,
      name: `${name}: ${command.name}`,
    };
    this.register(this.#registries.commands.add(added));
    return added;
  }

  addStatusBarItem(): HTMLElement {
    const { el, remove } = this.#registries.sideBar.addStatusBarItem(this.manifest.id);
    this.register(remove);
    return el;
  }

  /** Not there before Obsidian 1.12.2. */
  get registerCliHandler() {
    const { commandLine } = this.#registries;
    if (commandLine === undefined) return undefined;
    type Args = Parameters<CommandLine['register']>;
    return (command: string, _description: string, flags: Args[1], handler: Args[2]): void =>
      this.register(commandLine.register(command, flags, handler));
  }

  registerEditorExtension(extension: Extension): void {
    this.register(this.#registries.extensions.add(extension));
  }

  registerEditorSuggest(suggest: EditorSuggest<unknown>): void {
    this.register(this.#registries.suggests.add(suggest));
  }

  registerView(type: string, creator: Parameters<SideBar['register']>[1]): void {
    this.register(this.#registries.sideBar.register(type, creator));
  }

  registerMarkdownCodeBlockProcessor(
    language: string,
    processor: Parameters<CodeBlocks['register']>[1],
  ): () => never {
    this.register(this.#registries.blocks.register(language, processor));
    return () => {
      throw new Error('HARNESS: a processor of code blocks is called by the notes that are shown.');
    };
  }

  registerMarkdownPostProcessor(
    processor: Parameters<CodeBlocks['registerAfter']>[0],
  ): Parameters<CodeBlocks['registerAfter']>[0] {
    this.register(this.#registries.blocks.registerAfter(processor));
    return processor;
  }
}
