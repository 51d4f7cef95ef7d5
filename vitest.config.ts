import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** `.ci/run` says so even where the service that runs it sets no `CI`. */
const isUnattended = process.env.CI === 'true' || process.env.ERRAND_UNATTENDED === '1';

export default defineConfig({
  test: {
    include: ['{packages,servers,apps,test,tools}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/.cache/**'],
    // Tests wait for processes and browsers half of their time: a second one has room even on two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 60_000,
    // What is waited for comes when it can: a second is short on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 120_000,
    // Real processes on a machine that others use too: a moment without the processor is no defect,
    // what fails three times is one. On a developer's machine every failure shows at once.
    // What a generated input broke is broken, although the next one may pass.
    retry: { count: isUnattended ? 2 : 0, condition: /^(?!Property failed)/ },
  },
});
