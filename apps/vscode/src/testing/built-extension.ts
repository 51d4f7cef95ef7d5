import { join } from 'node:path';
import { builtOnce } from '@errand/machine/testing';

let built: Promise<string> | undefined;

/** A folder with `errand.vsix` as it is released, and the bridge that tests reach the extension host by; looked for once in each process. */
export function builtExtension(): Promise<string> {
  built ??= builtOnce({
    home: join(import.meta.dirname, '../../../..'),
    name: 'test-vscode',
    sources: [
      '{apps/vscode,packages/*}/{*,src/**/*,media/**/*}.{css,json,md,png,svg,ts,tsx}',
      'tools/bundling/*.ts',
      'package-lock.json',
    ],
    // The bundler is only loaded when there is something to build.
    build: async (folder) => (await import('./build-extension.ts')).buildExtension(folder),
  });
  return built;
}
