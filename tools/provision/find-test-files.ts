import { relative } from 'node:path';
import { createVitest, parseCLI } from 'vitest/node';

interface TestFiles {
  readonly projectFolder: string;
  /** Paths from the project folder. */
  readonly files: readonly string[];
  readonly namesReporter: boolean;
}

/** Asks vitest which files it would run for these arguments. */
export async function findTestFiles(args: readonly string[]): Promise<TestFiles> {
  const { filter, options } = parseCLI(['vitest', 'run', ...args]);
  const vitest = await createVitest('test', { ...options, watch: false });
  try {
    const found = await vitest.getRelevantTestSpecifications(filter);
    const { root } = vitest.config;
    return {
      projectFolder: root,
      files: found.map(({ moduleId }) => relative(root, moduleId)).sort(),
      namesReporter: options.reporters !== undefined || 'reporter' in options,
    };
  } finally {
    await vitest.close();
  }
}
