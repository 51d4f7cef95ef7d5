import { join } from 'node:path';
import { build } from 'vite';

/** Builds the page of the hook editor: one script and one style sheet, with nothing inline. */
export async function buildWebview(folder: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    root: join(import.meta.dirname, 'src/webview'),
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: join(folder, 'webview'),
      emptyOutDir: true,
      assetsInlineLimit: 0,
      cssCodeSplit: false,
      modulePreload: { polyfill: false },
      target: 'es2023',
      rolldownOptions: {
        input: join(import.meta.dirname, 'src/webview/main.tsx'),
        output: {
          codeSplitting: false,
          entryFileNames: 'hook-editor.js',
          assetFileNames: 'hook-editor[extname]',
        },
      },
    },
  });
}
