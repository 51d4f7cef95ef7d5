import { join } from 'node:path';
import { defineConfig } from 'vite';

/** The page as files that `src/api` serves: nothing inline, so that the content policy holds. */
export default defineConfig({
  root: join(import.meta.dirname, 'src/page'),
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: join(import.meta.dirname, 'dist/page'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2024',
    // The editor is larger; what is loaded at once is measured by tools/first-load.ts.
    chunkSizeWarningLimit: 1_000,
  },
});
