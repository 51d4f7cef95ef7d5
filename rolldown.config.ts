import { defineConfig, type RolldownOptions } from 'rolldown';

/** Command-line programs ship as one ES module that runs on Node 22 and later. */
function program(
  input: string,
  file: string,
  { external = [] }: { readonly external?: readonly string[] } = {},
): RolldownOptions {
  return {
    input,
    platform: 'node',
    external: [...external],
    // Older packages name their ES modules here; their CommonJS cannot always be bundled.
    resolve: { mainFields: ['module', 'main'] },
    transform: { target: 'es2022' },
    output: {
      file,
      format: 'esm',
      codeSplitting: false,
      minify: true,
      sourcemap: true,
    },
  };
}

export default defineConfig([
  program('apps/cli/src/main.ts', 'apps/cli/dist/main.js', {
    // A native add-on cannot be part of a bundle; without it secrets go to a file.
    external: ['@napi-rs/keyring'],
  }),
  // Threads are started from files of their own.
  program(
    'packages/host/src/node/schema-worker-thread.ts',
    'apps/cli/dist/schema-worker-thread.js',
  ),
  program('servers/vault/src/main.ts', 'servers/vault/dist/main.js'),
  program('servers/vault/src/index/index-worker.ts', 'servers/vault/dist/index-worker.js'),
]);
