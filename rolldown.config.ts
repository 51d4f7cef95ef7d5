import { join } from 'node:path';
import { defineConfig, type InputOptions, type OutputOptions, type Plugin } from 'rolldown';
import obsidianPlugin from './apps/obsidian/rolldown.config.ts';
import vscodeExtension from './apps/vscode/rolldown.config.ts';

/**
 * An import of a module of Node reads all its exports, and some of them load what belongs to them: fetch,
 * certificates, the Web's cryptography. That is 70 ms and several megabytes at every start. So programs
 * ask Node for the module itself, and take from it what they use.
 */
const nodeModulesAsTheyAre: Plugin = {
  name: 'node-modules-as-they-are',
  renderChunk: (code) => ({
    code: code.replace(
      /^import (?:(?:\* as )?([\w$]+))?(?:, )?(\{[^}]*\})? from "(node:[\w/]+)";$/gm,
      (_, whole: string | undefined, names: string | undefined, module: string) =>
        [whole, names?.replaceAll(' as ', ': ')]
          .filter((each) => each !== undefined)
          .map((each) => `const ${each} = globalThis.process.getBuiltinModule("${module}");`)
          .join(' '),
    ),
    // The lines stay where they were.
    map: null,
  }),
};

/** How a program is made. */
interface Recipe extends InputOptions {
  readonly output: OutputOptions;
}

/** Programs ship as ES modules that run on Node 22 and later. */
function program(input: string, output: OutputOptions): Recipe {
  return {
    input,
    platform: 'node',
    plugins: [nodeModulesAsTheyAre],
    // Native add-ons cannot be part of a bundle; programs do without them.
    external: ['@napi-rs/keyring', 'pg-native'],
    // Older packages name their ES modules here; their CommonJS cannot always be bundled.
    resolve: { mainFields: ['module', 'main'] },
    transform: { target: 'es2022' },
    // One character outside of ASCII, and the engine keeps the whole text with two bytes for each.
    output: { format: 'esm', charset: 'ascii', minify: true, sourcemap: true, ...output },
  };
}

/** In one file. */
function alone(file: string): OutputOptions {
  return { file, codeSplitting: false };
}

/** The `errand` command, in a folder of its own. */
export function commandLine(dir: string): readonly Recipe[] {
  return [
    // In several files: what only one command needs is loaded by that command.
    program('apps/cli/src/main.ts', { dir, cleanDir: true, chunkFileNames: '[name].js' }),
    // Threads are started from files of their own.
    program(
      'packages/machine/src/node/schema-worker-thread.ts',
      alone(join(dir, 'schema-worker-thread.js')),
    ),
  ];
}

export default defineConfig([
  ...commandLine('apps/cli/dist'),
  program('servers/vault/src/main.ts', alone('servers/vault/dist/main.js')),
  program('servers/vault/src/index/index-worker.ts', alone('servers/vault/dist/index-worker.js')),
  // In several files: the driver of a database is loaded where the ledger is in one.
  program('servers/gmail/src/main.ts', {
    dir: 'servers/gmail/dist',
    cleanDir: true,
    chunkFileNames: '[name].js',
  }),
  program('servers/bitbucket/src/main.ts', alone('servers/bitbucket/dist/main.js')),
  program(
    'servers/gmail/src/mime/message-worker.ts',
    alone('servers/gmail/dist/message-worker.js'),
  ),
  obsidianPlugin,
  vscodeExtension,
]);
