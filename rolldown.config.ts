import { defineConfig, type RolldownOptions } from 'rolldown';

/** Command-line programs ship as one ES module that runs on Node 22 and later. */
function program(folder: string, external: readonly string[] = []): RolldownOptions {
  return {
    input: `${folder}/src/main.ts`,
    platform: 'node',
    external: [...external],
    // Older packages name their ES modules here; their CommonJS cannot always be bundled.
    resolve: { mainFields: ['module', 'main'] },
    transform: { target: 'es2022' },
    output: {
      file: `${folder}/dist/main.js`,
      format: 'esm',
      codeSplitting: false,
      minify: true,
      sourcemap: true,
    },
  };
}

export default defineConfig([
  // A native add-on cannot be part of a bundle; without it secrets go to a file.
  program('apps/cli', ['@napi-rs/keyring']),
  program('servers/vault'),
]);
