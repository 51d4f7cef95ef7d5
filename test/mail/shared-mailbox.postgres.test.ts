import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type RunningProgram, TestVault } from '../end-to-end/errand-process.ts';
import { MailPlace } from './mail-place.ts';
import { servers } from './mail-servers.ts';

const database = process.env.ERRAND_TEST_POSTGRES ?? '';
const waiting = { timeout: 90_000 };

test('workers share a mailbox and a vault behind its server: mail becomes notes once and is sent once, also when one is killed in the middle', {
  timeout: 300_000,
}, async () => {
  await using place = await MailPlace.open();
  await using vault = await serveVault(place.folder);
  const shared = ['--database', database, '--space', `mail_${randomUUID().slice(0, 8)}`];
  using machines = new DisposableStack();
  const start = async (): Promise<RunningProgram> => {
    const machine = machines.use(TestVault.trusted({ settings: settingsFor(place, vault.url) }));
    const worker = machines.use(machine.start('worker', ...shared, '--queues', 'mail', '--json'));
    await worker.says(/"event":"ready"/);
    return worker;
  };
  // Nobody can read it, and nobody may change it.
  const broken = '---\nstatus: [\n---\nText\n';
  place.write('Needs_Action/broken.md', broken);
  const first = await start();
  const second = await start();
  for (const name of ['one', 'two', 'three']) await place.deliver(`reply ${name}`);
  // Handed over at once; the next one looks at the mailbox and begins.
  first.child.kill('SIGTERM');
  expect((await first.ended).code).toBe(0);
  await expect.poll(() => place.notes('Needs_Action').length, waiting).toBeGreaterThan(1);
  second.child.kill('SIGKILL');
  const third = await start();
  await expect.poll(() => place.notes('Drafts').length, waiting).toBe(3);
  expect(place.notes('Needs_Action')).toHaveLength(4);
  expect(await place.sent()).toEqual([]);

  const [approved = ''] = place.notes('Drafts');
  mkdirSync(join(place.folder, 'Approved'), { recursive: true });
  renameSync(join(place.folder, 'Drafts', approved), join(place.folder, 'Approved', approved));
  await start();
  third.child.kill('SIGTERM');
  await expect.poll(async () => (await place.sent()).length, waiting).toBe(1);
  // The draft and the mail that it answers.
  await expect.poll(() => place.notes('Done').length, waiting).toBe(2);
  expect(place.notes('Approved')).toEqual([]);
  expect(place.notes('Drafts')).toHaveLength(2);
  expect(place.notes('Needs_Action')).toHaveLength(3);
  expect(place.text('Needs_Action/broken.md')).toBe(broken);
  expect(await place.sent()).toHaveLength(1);
});

test('a worker says what a shared mailbox lacks, and begins nothing', {
  timeout: 90_000,
}, async () => {
  using bare = TestVault.trusted({});
  const asked = ['worker', '--database', database, '--queues', 'mail'];
  expect(await bare.errand(...asked, '--check')).toMatchObject({
    code: 2,
    stdout: expect.stringMatching(/^WRONG +mail +The queue "mail" needs a mailbox\./m),
  });
  const env = { GMAIL_LEDGER_URL: '/home/ada/ledger.sqlite' };
  const gmail = {
    ...serverEntry('gmail'),
    localConfig: { command: 'errand-gmail', args: [], env },
  };
  const http = {
    transport: 'http',
    deploymentType: 'external',
    httpConfig: { url: 'http://127.0.0.1:9/mcp' },
  };
  using alone = TestVault.trusted({
    settings: {
      mcpServers: [gmail, { ...serverEntry('vault'), ...http }],
      mail: { server: 'gmail' },
    },
  });
  expect(await alone.errand(...asked)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('another worker could send it again'),
  });
});

function serverEntry(name: string) {
  const counts = { failureCount: 0, autoDisabled: false, sectionBindings: [] };
  return {
    id: `id-${name}`,
    name,
    transport: 'stdio',
    deploymentType: 'local',
    enabled: true,
    ...counts,
  };
}

/** What every worker knows: the mail server with a ledger for all, the vault by its URL, and the model. */
function settingsFor(place: MailPlace, url: string) {
  const [, gmail] = servers(place.home, place.home, place.proxy.url, database);
  const vault = {
    ...serverEntry('vault'),
    transport: 'http',
    deploymentType: 'external',
    httpConfig: { url },
  };
  const { url: baseUrl } = place.model;
  return {
    mcpServers: [gmail, vault],
    assistants: [{ name: 'Clerk', provider: 'openai-compatible', model: 'scripted', baseUrl }],
    mail: { server: 'gmail' },
  };
}

/** The vault server as a process, on a port of its own. */
async function serveVault(folder: string): Promise<AsyncDisposable & { readonly url: string }> {
  const main = join(import.meta.dirname, '../../servers/vault/src/main.ts');
  const child = spawn(process.execPath, [main, '--vault', folder, '--http', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(said)));
    child.stderr.on('data', (chunk) => {
      said += chunk;
      const [found] = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  return {
    url,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
