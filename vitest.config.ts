import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{packages,servers,apps,test,tools}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/.cache/**'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
