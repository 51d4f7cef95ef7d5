import { join } from 'node:path';
import { ESLint } from 'eslint';

// What Obsidian's own scan of a plugin finds in its source: the official rules as they are recommended, where a
// warning counts as much as an error. They read the manifest in the folder they are loaded in.
const plugin = join(import.meta.dirname, '../apps/obsidian');
process.chdir(plugin);
const { default: official } = await import('eslint-plugin-obsidianmd');

const eslint = new ESLint({
  overrideConfigFile: true,
  overrideConfig: [
    ...official.configs.recommended,
    {
      files: ['**/*.ts'],
      languageOptions: { parserOptions: { project: 'tsconfig.json', tsconfigRootDir: plugin } },
      rules: { 'obsidianmd/prefer-active-doc': 'error' },
    },
    { ignores: ['src/testing/**', '**/*.test.ts'] },
  ],
});
const results = await eslint.lintFiles(['src/**/*.ts', 'package.json']);
const { format } = await eslint.loadFormatter('stylish');
console.log(await format(results));
process.exitCode = results.some(({ messages }) => messages.length > 0) ? 1 : 0;
