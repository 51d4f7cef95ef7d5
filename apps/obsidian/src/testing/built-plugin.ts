import { join } from 'node:path';
import { builtOnce } from '@errand/machine/testing';

let built: Promise<string> | undefined;

/** The folder with the plugin as it is released, and the page it is tried in; looked for once in each process. */
export function builtPlugin(): Promise<string> {
  built ??= builtOnce({
    home: join(import.meta.dirname, '../../../..'),
    name: 'test-plugin',
    sources: [
      '{apps/obsidian,packages/*}/{*,src/**/*}.{css,json,ts}',
      'LICENSE',
      'package-lock.json',
    ],
    // The bundler is only loaded when there is something to build.
    build: async (folder) => (await import('./build-harness.ts')).buildHarness(folder),
  });
  return built;
}
