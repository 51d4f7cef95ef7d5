import { defineConfig, type Plugin, type RolldownOptions } from 'rolldown';
import obsidianPlugin from './apps/obsidian/rolldown.config.ts';

/**
 * An import of `node:http` reads all its exports, and some of them load fetch with all that belongs to
 * it: 70 ms and several megabytes at every start, for programs that do not use it.
 */
const httpWithoutFetch: Plugin = {
  name: 'http-without-fetch',
  resolveId: (id) => (id === 'node:http' ? '\0http' : null),
  load: (id) =>
    id === '\0http'
      ? `export const { Agent, createServer, request, STATUS_CODES, ServerResponse } = process.getBuiltinModule('node:http');`
      : null,
};

/** Programs ship as ES modules that run on Node 22 and later. */
function program(input: string, output: RolldownOptions['output']): RolldownOptions {
  return {
    input,
    platform: 'node',
    plugins: [httpWithoutFetch],
    // A native add-on cannot be part of a bundle; without it secrets go to a file.
    external: ['@napi-rs/keyring'],
    // Older packages name their ES modules here; their CommonJS cannot always be bundled.
    resolve: { mainFields: ['module', 'main'] },
    transform: { target: 'es2022' },
    output: { format: 'esm', minify: true, sourcemap: true, ...output },
  };
}

/** In one file. */
function alone(file: string): RolldownOptions['output'] {
  return { file, codeSplitting: false };
}

export default defineConfig([
  // In several: what only one command needs is loaded by that command.
  program('apps/cli/src/main.ts', { dir: 'apps/cli/dist', chunkFileNames: '[name].js' }),
  // Threads are started from files of their own.
  program(
    'packages/host/src/node/schema-worker-thread.ts',
    alone('apps/cli/dist/schema-worker-thread.js'),
  ),
  program('servers/vault/src/main.ts', alone('servers/vault/dist/main.js')),
  program('servers/vault/src/index/index-worker.ts', alone('servers/vault/dist/index-worker.js')),
  obsidianPlugin,
]);
