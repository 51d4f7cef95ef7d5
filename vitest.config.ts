import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** `.ci/run` says so even where the service that runs it sets no `CI`. */
const isUnattended = process.env.CI === 'true' || process.env.ERRAND_UNATTENDED === '1';

/** Files that this machine cannot run; what is excluded on the command line does not reach the projects. */
const leftOut: readonly string[] = JSON.parse(process.env.ERRAND_TEST_LEFT_OUT ?? '[]');

const exclude = ['**/node_modules/**', '**/dist/**', '**/.cache/**', ...leftOut];
/** Files that leave nothing behind in their process: they share one, its modules and its browser. */
const together = [
  '**/*.browser.test.ts',
  '{packages/{document,host,workspace},apps/{cli,obsidian,vscode}}/**/*.test.ts',
];

/** Files that need VS Code, which may still be on its way when tests begin. */
const editor = '**/*.vscode.test.ts';

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: together,
          exclude: [...exclude, editor],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'editor',
          include: [editor],
          exclude,
          isolate: false,
          setupFiles: ['./tools/provision/await-code-server.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['{packages,servers,apps,test,tools}/**/*.test.ts'],
          exclude: [...exclude, ...together, editor],
        },
      },
    ],
    exclude,
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
