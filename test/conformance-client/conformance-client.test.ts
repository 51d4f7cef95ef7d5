import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';

const require = createRequire(import.meta.url);
const olderReferee = require.resolve('conformance-0-1/dist/index.js');
const newerReferee = require.resolve('conformance-0-2/dist/index.js');
const folder = mkdtempSync(join(tmpdir(), 'errand-conformance-'));
const client = join(folder, 'client.mjs');

/** Scenarios of the older referee that are not passed, each with the reason. */
const notPassed: Readonly<Record<string, string>> = {
  'auth/2025-03-26-oauth-metadata-backcompat':
    'the referee names an issuer in its metadata that is not the address it was asked at, which RFC 8414 forbids to accept',
  'auth/client-credentials-jwt': 'extension, not required: a login without a person',
  'auth/client-credentials-basic': 'extension, not required: a login without a person',
  'auth/cross-app-access-complete-flow': 'extension, not required: a login without a person',
};

beforeAll(async () => {
  // The referee starts dozens of clients at once; one file starts in a third of the time.
  const bundle = await rolldown({
    input: fileURLToPath(new URL('./client.ts', import.meta.url)),
    platform: 'node',
    resolve: { mainFields: ['module', 'main'] },
  });
  await bundle.write({ file: client, codeSplitting: false });
  await bundle.close();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('passes what the referee of 2025-11-25 asks of clients', { timeout: 300_000 }, async () => {
  const output = await examine(olderReferee, '--suite', 'all');
  expect(output).toContain('=== SUITE SUMMARY ===');
  for (const scenario of failedIn(output).filter((name) => !(name in notPassed))) {
    await passesAlone(olderReferee, '--scenario', scenario);
  }
});

test.each(['2025-11-25', '2026-07-28'])(
  'passes what %s requires of clients',
  { timeout: 300_000 },
  async (revision) => {
    const output = await examine(newerReferee, '--requirements', revision);
    const [required = '', notScored] = output.split(`Not scored for ${revision}`);
    expect(notScored).toBeDefined();
    for (const scenario of failedIn(required)) {
      if (notScored?.includes(`✗ ${scenario} (`)) continue;
      await passesAlone(newerReferee, '--scenario', scenario, '--spec-version', revision);
    }
  },
);

/**
 * The scenarios that failed. A referee starts dozens of clients at once, and a small machine that has
 * other work is late: what fails is asked again alone, and counts then.
 */
function failedIn(output: string): string[] {
  return [...output.matchAll(/^✗ (\S+):/gm)].map(([, scenario = '']) => scenario);
}

/** One scenario takes a pause of half a second for too long from 200 ms on: a client that is late is asked again. */
async function passesAlone(referee: string, ...args: readonly string[]): Promise<void> {
  await expect
    .poll(() => examine(referee, ...args), { timeout: 120_000 })
    .toContain('OVERALL: PASSED');
}

/** What a referee says about our client. */
function examine(referee: string, ...args: readonly string[]): Promise<string> {
  // The referee hands it to a shell.
  const command = `'${process.execPath}' '${client}'`;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [referee, 'client', '--timeout', '120000', '--command', command, ...args],
      // It writes its results below the current folder.
      { cwd: folder, maxBuffer: 64 * 1024 * 1024 },
      (_error, stdout, stderr) => resolve(stdout + stderr),
    );
  });
}
