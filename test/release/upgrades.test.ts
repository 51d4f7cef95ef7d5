import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { leaseFolder } from '@errand/owner';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { patient, TestVault } from '../end-to-end/errand-process.ts';

const root = join(import.meta.dirname, '../..');
const fixtures = join(import.meta.dirname, 'fixtures');
/** Every version keeps a folder here, with files as that version wrote them. */
const versions = readdirSync(fixtures);

test.each(versions)('what version %s has stored is read', patient, async (version) => {
  using vault = new TestVault({});
  const state = await restore(vault, version);
  expect((await vault.json('servers', 'list')).json).toMatchObject({
    servers: [{ name: 'vault', enabled: true }],
  });
  expect((await vault.json('hooks', 'list')).json).toMatchObject({
    hooks: [{ name: 'Note the tea', enabled: true }],
  });
  expect((await vault.json('history')).json).toMatchObject({
    calls: [
      { source: 'hook', tool: 'write_note', status: 'error' },
      { source: 'user-codeblock', tool: 'list_notes', status: 'success' },
    ],
  });
  expect((await vault.json('hooks', 'log')).json).toMatchObject({
    runs: [{ hookName: 'Note the tea', status: 'failure' }],
  });
  expect((await vault.json('jobs', 'list')).json).toMatchObject({ jobs: [{ flow: 'hook' }] });
  expect((await vault.json('secrets', 'list')).json).toMatchObject({ secrets: ['weather-key'] });
  expect(await mailsIn(join(state, 'gmail.sqlite'), vault)).toMatchObject({ mails: { sent: 1 } });
  expect((await vault.json('run', 'Welcome.md')).json).toMatchObject({
    results: [{ status: 'success' }],
  });
});

test.each([
  [
    '.errand/settings.json',
    ['servers', 'list'],
    /version 2, made by a newer Errand.* Update Errand/,
  ],
  ['.errand/hooks.json', ['hooks', 'list'], /version 2, made by a newer Errand.* Update Errand/],
])('a newer %s is reported and stays as it is', patient, async (file, command, reason) => {
  using vault = new TestVault({});
  await restore(vault, '0.1.0');
  const newer = vault.read(file).replace('"version": 1', '"version": 2');
  writeFileSync(vault.path(file), newer);
  const { code, stdout, stderr } = await vault.errand(...command);
  expect(code).toBe(2);
  expect(stdout + stderr).toMatch(reason);
  expect(vault.read(file)).toBe(newer);
});

test.each([
  ['trust.json', ['trust', '--list']],
  ['secrets.json', ['secrets', 'list']],
  ['secret-vaults.json', ['secrets', 'list']],
  ['gateway.json', ['gateway', '--port', '3333', '--print-config', 'cursor']],
])(
  'a newer %s in the state folder is reported and stays as it is',
  patient,
  async (name, command) => {
    using vault = new TestVault({});
    const file = join(await restore(vault, '0.1.0'), name);
    const newer = '{ "version": 2, "secrets": "in a form of tomorrow" }';
    writeFileSync(file, newer, { mode: 0o600 });
    const { code, stdout, stderr } = await vault.errand(...command);
    expect(code).toBe(2);
    expect(stdout + stderr).toMatch(/has version 2, made by a newer Errand.* Update Errand/);
    expect(stdout + stderr).not.toMatch(/delete/i);
    expect(readFileSync(file, 'utf8')).toBe(newer);
  },
);

test(
  'jobs and sent mails of a newer version are reported and stay as they are',
  patient,
  async () => {
    using vault = new TestVault({});
    const state = await restore(vault, '0.1.0');
    const files = [await jobsFile(vault), join(state, 'gmail.sqlite')];
    const before = files.map((file) => {
      const database = new DatabaseSync(file);
      database.exec('PRAGMA user_version = 99');
      database.close();
      return readFileSync(file);
    });
    const jobs = await vault.errand('jobs', 'list');
    expect(jobs.code).not.toBe(0);
    expect(jobs.stderr).toMatch(/format 99, made by a newer program/);
    await expect(mailsIn(files[1] ?? '', vault)).rejects.toThrow();
    expect(files.map((file) => readFileSync(file))).toEqual(before);
  },
);

/** Lays out what a version has stored, as if it had run in this vault; answers with the state folder. */
async function restore(vault: TestVault, version: string): Promise<string> {
  const read = (name: string) =>
    readFileSync(join(fixtures, version, name), 'utf8').replaceAll('{{vault}}', vault.folder);
  mkdirSync(vault.path('.errand/log'), { recursive: true });
  for (const name of ['settings.json', 'hooks.json'])
    writeFileSync(vault.path(`.errand/${name}`), read(name));
  for (const name of ['calls', 'hooks']) {
    const file = vault.path(`.errand/log/${name}-2026-11-18.jsonl`);
    writeFileSync(file, read(`${name}.jsonl`), { mode: 0o600 });
  }
  writeFileSync(vault.path('Welcome.md'), read('Welcome.md'));
  const state = join(vault.home, 'state/errand');
  mkdirSync(state, { recursive: true, mode: 0o700 });
  chmodSync(state, 0o700);
  for (const name of ['trust.json', 'secrets.json', 'secret-vaults.json']) {
    writeFileSync(join(state, name), read(name), { mode: 0o600 });
  }
  fill(await jobsFile(vault), read('jobs.sql'));
  fill(join(state, 'gmail.sqlite'), read('gmail-ledger.sql'));
  return state;
}

async function jobsFile(vault: TestVault): Promise<string> {
  const state = join(vault.home, 'state/errand');
  const { hash } = await leaseFolder(vault.folder, { state }, vault.env);
  mkdirSync(join(state, 'jobs'), { recursive: true, mode: 0o700 });
  return join(state, 'jobs', `${hash}.sqlite`);
}

function fill(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
  chmodSync(file, 0o600);
}

/** What the Gmail server says of the mails in a ledger. */
async function mailsIn(ledger: string, { env, folder }: TestVault): Promise<unknown> {
  const client = new Client({ name: 'upgrade', version: '1.0.0' });
  const program = join(root, 'servers/gmail/bin/errand-gmail.cjs');
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, '--vault', folder, '--ledger', ledger],
      env: env as Record<string, string>,
      stderr: 'ignore',
    }),
  );
  try {
    return (await client.callTool({ name: 'health_check', arguments: {} })).structuredContent;
  } finally {
    await client.close();
  }
}
