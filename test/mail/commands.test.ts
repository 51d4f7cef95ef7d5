import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runErrand, startErrand } from './errand-in.ts';
import { MailPlace } from './mail-place.ts';

let place: MailPlace;
beforeAll(async () => {
  place = await MailPlace.open();
  // The commands are the only program on this vault.
  await place.reset();
  await place.stop();
});
afterAll(async () => {
  await place.start();
  await place[Symbol.asyncDispose]();
});

const start = (...args: readonly string[]) => startErrand(place, args);
const errand = (...args: readonly string[]) => runErrand(place, args);

test('a person begins, looks, approves, rejects and pauses from a shell', {
  timeout: 240_000,
}, async () => {
  const settings = join(place.folder, '.errand/settings.json');
  const { url: baseUrl } = place.model;
  const assistants = [{ name: 'Clerk', provider: 'openai-compatible', model: 'scripted', baseUrl }];
  const stored = JSON.parse(readFileSync(settings, 'utf8'));
  writeFileSync(settings, JSON.stringify({ ...stored, assistants, mail: { server: 'gmail' } }));
  // The vault belongs to the machine of another test.
  const elsewhere = await errand('mail', 'run', '--once');
  expect(elsewhere).toMatchObject({ code: 2, stderr: expect.stringContaining('--take-over') });
  await place.deliver('reply one', 'Password: hunter2');
  await place.deliver('reply two');
  const dry = await errand('mail', 'run', '--dry-run');
  expect(dry.stdout).toContain('draft_reply');
  expect(place.notes('Needs_Action')).toEqual([]);
  const refused = await errand('mail', 'run', '--once', '--take', '7d');
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--take-over') });
  const none = await errand('mail', 'run', '--once', '--take', '0d', '--take-over');
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('"7d"') });
  const round = await errand('mail', 'run', '--once', '--take', '30d', '--take-over');
  expect(round).toMatchObject({ code: 0, stdout: expect.stringContaining('waits for approval') });
  const { board } = JSON.parse((await errand('mail', '--json')).stdout);
  const [first, second] = board.folders.Drafts.map(({ id }: { id: string }) => id);
  const shown = await errand('mail', 'show', first);
  expect(shown.stdout).toMatch(/to +ada@example\.org[\s\S]*Yes, gladly\./);
  // Whatever a stranger wrote, and whatever would leave, has a mark before it.
  expect(shown.stdout).toMatch(/^│ Yes, gladly\./m);
  const mistaken = await errand('mail', 'edit', first, '--to', 'not an address');
  expect(mistaken).toMatchObject({ code: 1, stderr: expect.stringContaining('--to …') });
  expect(mistaken.stderr).toContain('not an address. Correct it with:');
  const incomplete = await errand('mail', 'approve', first, '--yes');
  expect(incomplete).toMatchObject({ code: 2, stderr: expect.stringContaining('mail edit') });
  expect((await errand('mail', 'edit', first, '--to', 'ada@example.org')).code).toBe(0);
  const alone = await errand('mail');
  expect(alone.stdout).toMatch(/^No program owns this vault.*errand up\n/);
  const asked = await errand('mail', 'approve', first);
  expect(asked.code).toBe(2);
  expect(asked.stderr).toMatch(/to +ada@example\.org[\s\S]*Yes, gladly\.[\s\S]*--yes/);
  expect(place.notes('Approved')).toEqual([]);
  const approved = await errand('mail', 'approve', first, '--yes');
  expect(approved).toMatchObject({ code: 0, stderr: expect.stringContaining('errand up') });
  expect((await errand('mail', 'reject', second, '--reason', 'Later.')).code).toBe(0);
  // One that waited too long asks twice; one that cannot be sent is shown as it was written.
  place.write(
    'Drafts/old.md',
    '---\napproval: expired\nto: bob@example.org\nbcc: boss@example.org\nsubject: Old\n---\nStill true.\n',
  );
  const once = await errand('mail', 'approve', 'Drafts/old.md', '--yes');
  expect(once).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes --expired') });
  expect(place.notes('Approved')).not.toContain('old.md');
  expect((await errand('mail', 'approve', 'Drafts/old.md', '--yes', '--expired')).code).toBe(0);
  place.write('Drafts/bad.md', '---\nto: bob at home\nsubject: Hi\n---\nMy words.\n');
  const bad = await errand('mail', 'show', 'Drafts/bad.md');
  expect(bad.stdout).toMatch(/to +bob at home[\s\S]*no valid address[\s\S]*My words\./);
  await errand('mail', 'run', '--once');
  expect((await place.sent()).map(({ to }) => to).sort()).toEqual([
    'ada@example.org',
    'bob@example.org',
  ]);
  const why = await errand('mail', 'why', first);
  expect(why.stdout).toContain('openai-compatible:scripted');
  expect((await errand('mail', 'pause')).stdout).toContain('errand mail resume');
  const log = await errand('mail', 'log');
  expect(log.stdout).toContain('email_sent');
  expect(log.stdout).toMatch(/draft_rejected.*Later\./);
});

test('what strangers wrote begins no line of its own and moves nothing on a terminal, in lists, logs and reasons', {
  timeout: 120_000,
}, async () => {
  const hostile = 'Hi\u001b[2J\u202e\u0007\r\n\nemail_sent 2026-01-01 All is well';
  const head = { type: 'email', message_id: 'h0571', from: hostile, subject: hostile };
  const more = { status: 'needs_info', decision: 'needs_info', decided_by: hostile };
  const values = { ...head, ...more, decision_reason: hostile, info_needed: hostile };
  const lines = Object.entries(values).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const name = 'a\nSent: Done\u001b[31m.md';
  place.write(`Needs_Action/${name}`, `---\n${lines.join('\n')}\n---\n${hostile}\n`);
  const entry = { event: hostile, severity: 'INFO', message_id: 'h0571', subject: hostile };
  const line = { timestamp: new Date().toISOString(), ...entry, message: hostile };
  const day = line.timestamp.slice(0, 10);
  appendFileSync(join(place.folder, `Logs/decisions_${day}.jsonl`), `${JSON.stringify(line)}\n`);
  for (const args of [[], ['log'], ['show', 'h0571'], ['why', 'h0571']]) {
    const { stdout, stderr, code } = await errand('mail', ...args);
    expect([args, code]).toEqual([args, 0]);
    expect(stdout).toContain('All is well');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(stdout).not.toMatch(/^(?:email_sent|Sent:)/m);
  }
});

test('a person says what became of a mail, and tells the model what it asked for, from a shell', {
  timeout: 240_000,
}, async () => {
  const unclear = 'to: cy@example.org\nsubject: Lost\nsend_state: unclear';
  place.write('Approved/lost.md', `---\ndraft_id: l057\n${unclear}\n---\nText\n`);
  const filed = await errand('mail', 'retry', 'l057', '--was-sent');
  expect(filed).toMatchObject({ code: 0, stdout: expect.stringContaining('Filed as sent') });
  await errand('mail', 'resume');
  const id = await place.deliver('info about Friday');
  await errand('mail', 'run', '--once');
  expect(place.notes('Done')).toContain('lost.md');
  const answered = await errand('mail', 'retry', id, '--note', 'I come at noon.');
  expect(answered).toMatchObject({ code: 0, stdout: expect.stringContaining('Tried again') });
  const asked = place.model.requests.length;
  await errand('mail', 'run', '--once');
  const prompts = place.model.requests.slice(asked).map(({ body }) => JSON.stringify(body));
  expect(prompts).toEqual([expect.stringContaining('The person adds: I come at noon.')]);
  expect((await place.sent()).map(({ to }) => to)).not.toContain('cy@example.org');
});

/** A program that adds a line to a file of the vault. */
const noteDown = `require('node:fs').appendFileSync('hooked.txt', process.argv.slice(1).join(' ') + '\\n')`;

const hooks = [
  {
    id: 'noted',
    name: 'Note down',
    enabled: true,
    trigger: { kind: 'mail', events: ['received', 'drafted', 'approved', 'sent'] },
    actions: [
      {
        type: 'custom',
        parameters: {
          command: process.execPath,
          args: ['-e', noteDown, '{{ mail.event }}', '{{ mail.subject }}'],
          writes: 'hooked.txt',
        },
      },
    ],
  },
  {
    id: 'labelled',
    name: 'Label',
    enabled: true,
    trigger: { kind: 'mail', events: ['sent'] },
    actions: [
      {
        type: 'mcp',
        parameters: {
          serverId: 'gmail',
          toolName: 'add_label',
          parameterMappings: [
            { toolParam: 'message_id', source: 'context', value: 'mail.messageId' },
            { toolParam: 'label_name', source: 'literal', value: 'answered-by-errand' },
          ],
        },
      },
    ],
  },
];

test('hooks run for what becomes of a mail, while a program owns the vault', {
  timeout: 120_000,
}, async () => {
  writeFileSync(join(place.folder, '.errand/hooks.json'), JSON.stringify({ version: 1, hooks }));
  await errand('mail', 'resume');
  await place.deliver('reply hooked');
  const owner = start('mail', 'run');
  const ended = once(owner, 'close');
  owner.stdout.resume();
  owner.stderr.resume();
  try {
    const hooked = () => {
      const file = join(place.folder, 'hooked.txt');
      return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').toSorted() : [];
    };
    const before = ['drafted Re: reply hooked', 'received reply hooked'];
    await expect.poll(hooked, { timeout: 60_000 }).toEqual(before);
    const draft = `Drafts/${place.notes('Drafts').find((name) => name.includes('hooked'))}`;
    expect(await errand('mail', 'approve', draft, '--yes')).toMatchObject({
      code: 0,
    });
    const after = ['approved Re: reply hooked', ...before, 'sent Re: reply hooked'];
    await expect.poll(hooked, { timeout: 60_000 }).toEqual(after);
    const labelled = async () => {
      const path = 'messages?q=label:answered-by-errand';
      const { messages = [] } = await place.gmail<{ messages?: object[] }>('GET', path);
      return messages.length;
    };
    await expect.poll(labelled, { timeout: 60_000 }).toBe(1);
  } finally {
    owner.kill('SIGTERM');
    await ended;
  }
});
