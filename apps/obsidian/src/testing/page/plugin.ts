import type { CodeBlocks } from './code-blocks.ts';
import { Component } from './component.ts';

export interface Manifest {
  readonly id: string;
  readonly dir: string;
}

/** What a plugin may add, and where it goes. */
export interface PluginPlaces {
  readonly blocks: CodeBlocks;
}

/** The class that a plugin extends; what it adds is taken back when it is unloaded. */
export function pluginClass({ blocks }: PluginPlaces) {
  return class Plugin extends Component {
    readonly app: object;
    readonly manifest: Manifest;

    constructor(app: object, manifest: Manifest) {
      super();
      this.app = app;
      this.manifest = manifest;
    }

    registerMarkdownCodeBlockProcessor(
      language: string,
      processor: Parameters<CodeBlocks['register']>[1],
    ): void {
      this.register(blocks.register(language, processor));
    }
  };
}
