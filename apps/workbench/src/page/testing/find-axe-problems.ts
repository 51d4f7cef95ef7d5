import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Serious and critical problems that axe finds on the current page. */
export async function findAxeProblems(page: Page): Promise<readonly string[]> {
  // What pulses or appears has the colours of a moment, which say nothing about how it reads.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(axe);
  const { violations } = (await page.evaluate('axe.run(document)')) as AxeResults;
  await page.emulateMedia({ reducedMotion: null });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary}`),
    );
}
