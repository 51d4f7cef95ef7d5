import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** How many tests ended how; what failed outside of any test counts as one failure. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** A vitest reporter that leaves the counts in the file named by `ERRAND_TEST_COUNTS`. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const path = process.env.ERRAND_TEST_COUNTS;
    if (path !== undefined) writeFileSync(path, JSON.stringify(countTests(modules, unhandled)));
  }
}

function countTests(modules: readonly TestModule[], unhandled: readonly unknown[]): TestCounts {
  const counts = { passed: 0, failed: unhandled.length, skipped: 0 };
  for (const module of modules) {
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      counts[state === 'pending' ? 'skipped' : state] += 1;
    }
    for (const suite of [module, ...module.children.allSuites()]) {
      counts.failed += suite.errors().length;
    }
  }
  return counts;
}
