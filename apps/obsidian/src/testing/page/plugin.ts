import type { PluginManifest } from 'obsidian';
import type { CodeBlocks } from './code-blocks.ts';
import { Component } from './component.ts';

export interface Manifest extends PluginManifest {
  readonly dir: string;
}

/** Where that goes which a plugin adds. */
export interface PluginPlaces {
  readonly blocks: CodeBlocks;
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

  registerMarkdownCodeBlockProcessor(
    language: string,
    processor: Parameters<CodeBlocks['register']>[1],
  ): () => never {
    this.register(this.#places.blocks.register(language, processor));
    return () => {
      throw new Error('HARNESS: a processor of code blocks is called by the notes that are shown.');
    };
  }
}
