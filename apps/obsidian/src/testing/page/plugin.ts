import type { CodeBlocks } from './code-blocks.ts';
import type { Command, Commands } from './commands.ts';
import { Component } from './component.ts';
import type { DrawnSettingTab } from './settings/setting-tab.ts';
import type { SettingsWindow } from './settings/settings-window.ts';

export interface Manifest {
  readonly id: string;
  readonly name: string;
  readonly dir: string;
}

/** Where that goes which a plugin adds. */
export interface PluginPlaces {
  readonly blocks: CodeBlocks;
  readonly commands: Commands;
  readonly settings: SettingsWindow;
}

const placesOfApps = new WeakMap<object, PluginPlaces>();

/** Says where the plugins of an app add things. */
export function givePlaces(app: object, places: PluginPlaces): void {
  placesOfApps.set(app, places);
}

/** What a plugin extends; what it adds is taken back when it is unloaded. */
export class Plugin extends Component {
  readonly app: object;
  readonly manifest: Manifest;
  readonly #places: PluginPlaces;

  constructor(app: object, manifest: Manifest) {
    super();
    this.app = app;
    this.manifest = manifest;
    const places = placesOfApps.get(app);
    if (places === undefined) throw new Error('The app of a plugin is given by the harness.');
    this.#places = places;
  }

  addSettingTab(tab: DrawnSettingTab): void {
    this.register(this.#places.settings.add(tab));
  }

  /** Obsidian puts the plugin's id before the command's and its name before the command's. */
  addCommand(command: Command): Command {
    const { id, name } = this.manifest;
    const added = {
      ...command,
      id: `${id}:${command.id}`,
      name: `${name}: ${command.name}`,
    };
    this.register(this.#places.commands.add(added));
    return added;
  }

  registerMarkdownCodeBlockProcessor(
    language: string,
    processor: Parameters<CodeBlocks['register']>[1],
  ): void {
    this.register(this.#places.blocks.register(language, processor));
  }
}
