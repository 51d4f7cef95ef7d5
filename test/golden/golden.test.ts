import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TestVault } from '../end-to-end/errand-process.ts';

/** What a case may say beside its notes; without a file, `errand run before.md` ends with 0. */
interface Case {
  readonly args?: readonly string[];
  readonly code?: number;
  /** Laid over the settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** For each block: status, or status and code. */
  readonly results?: readonly string[];
  /** Files that must be there afterwards, by their folder. */
  readonly files?: Readonly<Record<string, readonly string[]>>;
}

const cases = join(import.meta.dirname, 'cases');

test.concurrent.for(readdirSync(cases))('%s', { timeout: 60_000 }, async (name) => {
  const folder = join(cases, name);
  using vault = new TestVault(folder);
  const { args = ['before.md'], code = 0, settings, results, files } = readCase(folder);
  writeSettings(vault.folder, settings);
  const ended = await vault.errand('run', ...args, '--trust', '--json');
  const report = JSON.parse(ended.stdout || '{}') as { readonly results?: readonly Result[] };
  if (results !== undefined) expect(report.results?.map(describeResult)).toEqual(results);
  const after = readFileSync(join(vault.folder, 'before.md'));
  // To accept a new text: UPDATE_GOLDEN=1 npm test -- test/golden, then read the difference.
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(join(folder, 'after.md'), after);
  expect(after.toString()).toBe(readFileSync(join(folder, 'after.md'), 'utf8'));
  expect({ code: ended.code, stderr: ended.stderr }).toMatchObject({ code });
  for (const [place, expected] of Object.entries(files ?? {})) {
    expect(readdirSync(join(vault.folder, place))).toEqual(expected);
  }
});

interface Result {
  readonly status: string;
  readonly error: { readonly code: string } | null;
}

function describeResult({ status, error }: Result): string {
  return error === null ? status : `${status} ${error.code}`;
}

function readCase(folder: string): Case {
  const path = join(folder, 'case.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Case) : {};
}

function writeSettings(vault: string, settings: Case['settings']): void {
  const server = (name: string, enabled = true) => ({
    id: name,
    name,
    transport: 'stdio',
    deploymentType: 'local',
    localConfig: {
      command: process.execPath,
      args: [join(import.meta.dirname, 'weather-server.ts')],
    },
    enabled,
    failureCount: 0,
    autoDisabled: false,
    sectionBindings: [],
  });
  const mcpServers = [server('weather'), server('db'), server('off', false)];
  mkdirSync(join(vault, '.errand'));
  const path = join(vault, '.errand', 'settings.json');
  writeFileSync(path, JSON.stringify({ version: 1, mcpServers, ...settings }));
}
