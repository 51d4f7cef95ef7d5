import { defineConfig, type RolldownOptions } from 'rolldown';

/** Command-line programs ship as one ES module that runs on Node 22 and later. */
function program(folder: string): RolldownOptions {
  return {
    input: `${folder}/src/main.ts`,
    platform: 'node',
    transform: { target: 'es2022' },
    output: { file: `${folder}/dist/main.js`, format: 'esm', minify: true, sourcemap: true },
  };
}

export default defineConfig([program('apps/cli'), program('servers/vault')]);
