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
  });
  await bundle.write({ file: client, codeSplitting: false });
  await bundle.close();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('passes what the referee of 2025-11-25 asks of clients', { timeout: 180_000 }, async () => {
  const { output } = await examine(olderReferee, '--suite', 'all');
  expect(output).toContain('=== SUITE SUMMARY ===');
  const failed = [...output.matchAll(/^✗ (\S+):/gm)].map(([, scenario = '']) => scenario);
  // Some checks measure time, and dozens of clients at once on a small machine are late.
  for (const scenario of failed.filter((name) => !(name in notPassed))) {
    const alone = await examine(olderReferee, '--scenario', scenario);
    expect(alone.output).toContain('OVERALL: PASSED');
  }
});

test.each(['2025-11-25', '2026-07-28'])(
  'passes what %s requires of clients',
  { timeout: 180_000 },
  async (revision) => {
    const { code, output } = await examine(newerReferee, '--requirements', revision);
    expect(output).toContain(`Not scored for ${revision}`);
    expect(code, output).toBe(0);
  },
);

function examine(
  referee: string,
  ...args: readonly string[]
): Promise<{ code: number; output: string }> {
  const command = `${process.execPath} ${client}`;
  return new Promise((resolve) => {
    // The referee writes its results below the current folder.
    execFile(
      process.execPath,
      [referee, 'client', '--timeout', '120000', '--command', command, ...args],
      { cwd: folder, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr });
      },
    );
  });
}
