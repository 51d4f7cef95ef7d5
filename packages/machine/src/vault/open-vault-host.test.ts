import { globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decideSection } from '@errand/host';
import {
  createMemorySecretStore,
  createMemorySettingsStore,
  localServer,
} from '@errand/host/testing';
import { afterEach, expect, test, vi } from 'vitest';
import { openNoteFolder } from '../node/file-note-store.ts';
import { readJournal } from '../testing/journal.ts';
import { scriptedServerConfig } from '../testing/scripted-server-config.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openVaultHost } from './open-vault-host.ts';

afterEach(() => vi.unstubAllEnvs());

test('runs a program, keeps what its secrets stand for out of the log, and ends it', async () => {
  await using folder = await temporaryFolder();
  const { path } = folder;
  vi.stubEnv('XDG_STATE_HOME', join(path, 'state'));
  const journal = join(path, 'journal');
  writeFileSync(journal, '');
  const { localConfig, ...entry } = scriptedServerConfig({ journal });
  const env = { TOKEN: `\${secret:crm}` };
  const server = { ...entry, localConfig: { ...localConfig, env } };
  const text = JSON.stringify({ version: 1, logParameters: true, mcpServers: [server] });
  const secrets = createMemorySecretStore();
  await secrets.set('crm', 'swordfish');
  const vault = await openVaultHost({
    folder: path,
    version: '0.0.0',
    env: {},
    settings: createMemorySettingsStore(text),
    secrets,
    notifier: { notify: () => undefined },
    trustAll: true,
  });
  const outcome = await vault.host.execute({
    id: 'a',
    serverId: server.id,
    toolName: 'echo',
    parameters: { text: 'swordfish' },
    source: 'command',
    sessionId: 'a',
  });
  expect(outcome.status).toBe('success');
  await vault[Symbol.asyncDispose]();
  const logs = globSync('.errand/log/*.jsonl', { cwd: path });
  const log = logs.map((name) => readFileSync(join(path, name), 'utf8')).join('');
  expect(log).toContain(`\${secret:crm}`);
  expect(log).not.toContain('swordfish');
  const pids = readJournal(journal).map(({ pid }) => pid);
  expect(pids.length).toBeGreaterThan(0);
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

test('reports bindings for notes that do not exist', async () => {
  await using folder = await temporaryFolder();
  const { path } = folder;
  vi.stubEnv('XDG_STATE_HOME', join(path, 'state'));
  mkdirSync(join(path, 'Projects'));
  writeFileSync(join(path, 'Projects/Plan.md'), '# Secret');
  const bind = (...paths: readonly string[]) => {
    const sectionBindings = paths.map((documentPath) => ({
      sectionType: 'heading',
      headingText: 'Secret',
      documentPath,
    }));
    return JSON.stringify({ mcpServers: [{ ...localServer('db'), sectionBindings }] });
  };
  const settings = createMemorySettingsStore(bind('projects/plan', 'Projects/**', 'Plan.md'));
  const notices: string[] = [];
  const vault = await openVaultHost({
    folder: path,
    version: '0.0.0',
    env: {},
    settings,
    secrets: createMemorySecretStore(),
    notifier: { notify: ({ message }) => notices.push(message) },
  });
  const changed = new Promise<void>((resolve) => vault.host.events.subscribe(() => resolve()));
  settings.write(bind('Plan.md', 'Projcts/**'));
  await changed;
  await vault[Symbol.asyncDispose]();
  expect(notices).toEqual([
    expect.stringContaining('No note matches "Plan.md"'),
    expect.stringContaining('No note matches "Projcts/**"'),
  ]);
});

test('no link inside the vault lifts a binding of the note it leads to', async () => {
  await using folder = await temporaryFolder();
  const { path } = folder;
  vi.stubEnv('XDG_STATE_HOME', join(path, 'state'));
  const vaultFolder = join(path, 'vault');
  mkdirSync(join(vaultFolder, 'P'), { recursive: true });
  writeFileSync(join(vaultFolder, 'P/B.md'), '# H\n\nx\n');
  symlinkSync('P/B.md', join(vaultFolder, 'Alias.md'));
  symlinkSync('Alias.md', join(vaultFolder, 'Chain.md'));
  symlinkSync('P', join(vaultFolder, 'Q'));
  symlinkSync('vault', join(path, 'linked'));
  const server = (name: string, documentPath: string) => ({
    ...localServer(name),
    sectionBindings: [{ sectionType: 'heading', headingText: '# H', documentPath }],
  });
  const mcpServers = [server('db', 'P/**'), server('weather', 'Chain.md')];
  const settings = createMemorySettingsStore(JSON.stringify({ mcpServers }));
  await using vault = await openVaultHost({
    folder: join(path, 'linked'),
    version: '0.0.0',
    env: {},
    settings,
    secrets: createMemorySecretStore(),
    notifier: { notify: () => undefined },
  });
  const notes = openNoteFolder(vaultFolder, join(path, 'locks'));
  const decide = async (note: string) =>
    (await decideSection({ path: note, line: 3 }, { notes, host: vault.host })).decision;
  for (const note of ['P/B.md', 'Alias.md', 'Q/B.md']) {
    expect(await decide(note), note).toMatchObject({ kind: 'bound', server: 'db' });
  }
  expect(await decide('Chain.md')).toMatchObject({
    kind: 'refused',
    message: expect.stringContaining('Remove one of the two'),
  });
});
