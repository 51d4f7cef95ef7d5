import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { MailBoard } from '@errand/mailroom';
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
  const fourth = await start();
  third.child.kill('SIGTERM');
  await expect.poll(async () => (await place.sent()).length, waiting).toBe(1);
  // The draft and the mail that it answers.
  await expect.poll(() => place.notes('Done').length, waiting).toBe(2);
  expect(place.notes('Approved')).toEqual([]);
  expect(place.notes('Drafts')).toHaveLength(2);
  expect(place.notes('Needs_Action')).toHaveLength(3);
  expect(place.text('Needs_Action/broken.md')).toBe(broken);
  expect(await place.sent()).toHaveLength(1);

  // A robot is stopped after 20 mails, however they are spread over workers.
  await start();
  for (let mail = 4; mail <= 23; mail += 1) await place.deliver(`reply ${mail}`);
  fourth.child.kill('SIGTERM');
  await start();
  await expect.poll(() => decided(place), waiting).toHaveLength(22);
  expect(place.notes('Drafts')).toHaveLength(19);
});

test('a worker serves several mailboxes while the server of one is down, and a person approves where no note is', {
  timeout: 180_000,
}, async () => {
  await using one = await MailPlace.open({ email: 'one@example.org' });
  await using two = await MailPlace.open({ email: 'two@example.org' });
  await using vaultOne = await serveVault(one.folder);
  await using vaultTwo = await serveVault(two.folder);
  const shared = ['--database', database, '--space', `mail_${randomUUID().slice(0, 8)}`];
  const first = settingsFor(one, vaultOne.url);
  const [gmailTwo = {}, notesTwo = {}] = settingsFor(two, vaultTwo.url).mcpServers;
  const settings = {
    ...first,
    mcpServers: [
      ...first.mcpServers,
      { ...gmailTwo, id: 'id-gmail2', name: 'gmail2' },
      { ...notesTwo, id: 'id-vault2', name: 'vault2' },
      { ...serverEntry('gone'), ...behind('http://127.0.0.1:9/mcp') },
    ],
    sharedMailboxes: [
      { server: 'gmail2', vault: 'vault2' },
      { server: 'gone', vault: 'vault2' },
    ],
  };
  using machine = TestVault.trusted({ settings });
  using worker = machine.start('worker', ...shared, '--queues', 'mail', '--json');
  await worker.says(/The mailbox of the server \\"gone\\" waits/);
  await worker.says(/"event":"ready".*"mailboxes":\["one@example.org","two@example.org"\]/);
  /** Looks at the mailbox now, as after a pause. */
  const look = async (address: string) => {
    for (const command of ['cancel', 'retry'])
      await machine.errand('jobs', command, `mailbox of ${address}`, ...shared);
  };
  for (const [place, address] of [
    [one, 'one@example.org'],
    [two, 'two@example.org'],
  ] as const) {
    await place.deliver(`reply to ${address}`);
    await look(address);
  }
  await expect
    .poll(() => [one, two].map((place) => place.notes('Drafts').length), waiting)
    .toEqual([1, 1]);

  // The folder of a person: where the notes are, and that workers do the rest.
  const notes = { ...serverEntry('vault'), ...behind(vaultOne.url) };
  const mail = { server: 'gmail', vault: 'vault', workers: true };
  using person = TestVault.trusted({ settings: { mcpServers: [notes], mail } });
  const { json } = await person.json('mail');
  const { board } = json as { readonly board: MailBoard };
  expect(board).toMatchObject({ state: 'shared', folders: { Drafts: [{ state: 'waiting' }] } });
  expect(await person.errand('mail', 'pause')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Workers fetch and send'),
  });
  const id = board.folders.Drafts[0]?.id ?? '';
  expect(await person.errand('mail', 'approve', id, '--yes')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Workers fetch mail, and send what is approved.'),
  });
  expect(one.notes('Approved')).toHaveLength(1);
  await look('one@example.org');
  await expect.poll(async () => (await one.sent()).length, waiting).toBe(1);
  expect(await two.sent()).toEqual([]);
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
  using alone = TestVault.trusted({
    settings: {
      mcpServers: [gmail, { ...serverEntry('vault'), ...behind('http://127.0.0.1:9/mcp') }],
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

function behind(url: string) {
  return { transport: 'http', deploymentType: 'external', httpConfig: { url } };
}

/** Mails that wait for a person, or for the approval of their draft. */
function decided(place: MailPlace): readonly string[] {
  return place
    .notes('Needs_Action')
    .filter((name) => /^decision:/m.test(place.text(`Needs_Action/${name}`)));
}

/** What every worker knows: the mail server with a ledger for all, the vault by its URL, and the model. */
function settingsFor(place: MailPlace, url: string) {
  const [, gmail] = servers(place.home, place.home, place.proxy.url, database);
  const vault = { ...serverEntry('vault'), ...behind(url) };
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
