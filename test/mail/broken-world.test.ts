import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MailPlace } from './mail-place.ts';

let place: MailPlace;
beforeAll(async () => {
  place = await MailPlace.open();
});
beforeEach(() => place.reset());
afterAll(() => place[Symbol.asyncDispose]());

function approveByHand(): string {
  const draft = place.only('Drafts');
  const name = draft.split('/')[1] ?? '';
  mkdirSync(join(place.folder, 'Approved'), { recursive: true });
  renameSync(join(place.folder, draft), join(place.folder, 'Approved', name));
  return `Approved/${name}`;
}

test('Gmail down: the draft stays in Approved with attempts, error and next try, and leaves later, once', async () => {
  await place.deliver('reply');
  await place.round();
  const approved = approveByHand();
  void place.proxy.fault(
    { method: 'POST', path: /drafts/, times: 99 },
    { kind: 'answer', status: 503 },
  );
  await place.round();
  expect(place.text(approved)).toMatch(/send_attempts: 1/);
  expect(place.text(approved)).toMatch(/last_error: [\s\S]*next_try_at: /);
  await place.round();
  expect(place.text(approved)).toMatch(/send_attempts: 1/);
  place.proxy.heal();
  place.letTimePass();
  place.ahead += 2 * 60_000;
  await place.round();
  expect(await place.sent()).toHaveLength(1);
  expect(place.notes('Approved')).toEqual([]);
});

test('a bad address goes to a person at once, and one that keeps failing after a day', async () => {
  place.write('Approved/bad.md', '---\nto: nobody at nowhere\nsubject: Hi\n---\nText\n');
  await place.round();
  expect(place.text('Approved/bad.md')).toContain('send_state: stuck');
  expect(place.notices).toContainEqual(expect.objectContaining({ level: 'error' }));
  place.write('Approved/late.md', '---\nto: bob@example.org\nsubject: Late\n---\nText\n');
  void place.proxy.fault(
    { method: 'POST', path: /drafts/, times: 99 },
    { kind: 'answer', status: 503 },
  );
  await place.round();
  place.ahead += 25 * 3_600_000;
  await place.round();
  expect(place.text('Approved/late.md')).toMatch(/send_state: (?:stuck|unclear)/);
  place.ahead += 25 * 3_600_000;
  place.proxy.heal();
  await place.round();
  expect(await place.sent()).toEqual([]);
});

test('nobody knows whether it left: a person says so, and it is sent once more only then', async () => {
  await place.deliver('reply');
  await place.round();
  const approved = approveByHand();
  const text = place.text(approved);
  place.write(approved, text.replace('---\n', '---\nsend_state: unclear\nlast_error: Lost.\n'));
  await place.round();
  expect(await place.sent()).toEqual([]);
  const { item } = await place.ask('settle', { id: approved, outcome: 'send' });
  expect(item.state).not.toBe('unclear');
  await place.round();
  expect(await place.sent()).toHaveLength(1);
  await place.deliver('reply two');
  await place.round();
  const second = approveByHand();
  place.write(second, place.text(second).replace('---\n', '---\nsend_state: unclear\n'));
  await place.ask('settle', { id: second, outcome: 'was-sent' });
  await place.round();
  expect(await place.sent()).toHaveLength(1);
  expect(place.notes('Done')).toHaveLength(4);
});

test('a draft that was changed while nobody knew whether it left asks again before it is sent', async () => {
  await place.deliver('reply');
  await place.round();
  const { draft } = await place.ask('show', { id: place.only('Drafts') });
  const approved = approveByHand();
  const unclear = `---\nsend_state: unclear\nlast_error: Lost.\napproved_hash: ${draft?.seen}\n`;
  const text = place.text(approved).replace('---\n', unclear);
  place.write(approved, `${text}Typed later.\n`);
  const { item } = await place.ask('settle', { id: approved, outcome: 'send' });
  expect(item).toMatchObject({ folder: 'Drafts', state: 'changed' });
  await place.round();
  expect(await place.sent()).toEqual([]);
  expect(place.text(place.only('Drafts'))).not.toMatch(/approved_hash|send_state|last_error/);
  approveByHand();
  await place.round();
  expect(await place.sent()).toMatchObject([{ snippet: expect.stringContaining('Typed later.') }]);
});

test('a lost login pauses fetching and sending, keeps everything, and says so', async () => {
  await place.deliver('reply');
  await place.round();
  const approved = approveByHand();
  const tokens = join(place.home, 'tokens.json');
  const login = readFileSync(tokens, 'utf8');
  writeFileSync(tokens, JSON.stringify({ access_token: 'gone', expiry_date: 1 }));
  void place.proxy.fault({ path: /gmail/, times: 99 }, { kind: 'answer', status: 401 });
  void place.proxy.fault(
    { path: /token/, times: 99 },
    { kind: 'answer', status: 400, body: '{"error":"invalid_grant"}' },
  );
  await place.round();
  expect((await place.ask('board', {})).state).toBe('login-lost');
  expect(place.text(approved)).not.toContain('send_attempts');
  writeFileSync(tokens, login);
  place.proxy.heal();
  await place.round();
  expect((await place.ask('board', {})).state).toBe('running');
  expect(await place.sent()).toHaveLength(1);
});

test('a model that is down, busy or silent is waited for, and the mail is there meanwhile', async () => {
  place.model.always({ status: 503, message: 'down' });
  await place.deliver('reply');
  await place.room.run();
  await expect.poll(() => place.notes('Needs_Action')).toHaveLength(1);
  await expect.poll(() => place.model.requests.length, { timeout: 20_000 }).toBeGreaterThan(3);
  expect(place.notes('Drafts')).toEqual([]);
  place.model.always({
    text: [
      JSON.stringify({
        decision: 'draft_reply',
        confidence: 1,
        reasoning: 'Up again.',
        reply_body: 'Yes',
      }),
    ],
  });
  await expect.poll(() => place.notes('Drafts'), { timeout: 30_000 }).toHaveLength(1);
});

test.each([
  ['nonsense', 'asdf'],
  ['prose', 'I would answer this mail kindly.'],
  ['a refusal', 'I cannot help with that.'],
  ['nothing', ''],
  ['a wrong decision', '{"decision":"send","confidence":1,"reasoning":"x"}'],
])(
  'a model that answers with %s is corrected five times with the mail in the prompt, then a person is told',
  async (_, text) => {
    const before = place.model.requests.length;
    place.model.always({ text: [text] });
    const id = await place.deliver('reply', 'A text that stays in the prompt');
    await place.round();
    const asked = place.model.requests.slice(before);
    expect(asked).toHaveLength(6);
    for (const { body } of asked)
      expect(JSON.stringify(body)).toContain('A text that stays in the prompt');
    expect(place.text(place.only('Needs_Action'))).toMatch(/status: failed/);
    expect((await place.ask('board', {})).counts.wrong).toBe(1);
    place.model.always({
      text: [JSON.stringify({ decision: 'archive', confidence: 1, reasoning: 'Fine now.' })],
    });
    await place.ask('retry', { id, note: 'Archive it.' });
    await place.round();
    expect(place.notes('Done')).toHaveLength(1);
    expect(JSON.stringify(place.model.requests.at(-1)?.body)).toContain('Archive it.');
  },
);

test('without the vault server the file itself is written, and the fallback is logged', async () => {
  place.mail = { ...place.mail, vault: 'absent' };
  await place.deliver('reply');
  await place.round();
  expect(place.notes('Drafts')).toHaveLength(1);
  approveByHand();
  await place.round();
  expect(await place.sent()).toHaveLength(1);
  expect(place.notes('Done')).toHaveLength(2);
  const events = place.logs().filter(({ event }) => event === 'mcp_fallback');
  expect(events.length).toBeGreaterThan(0);
  expect(events[0]).toMatchObject({ severity: 'WARNING', server: 'absent' });
  place.mail = { ...place.mail, vault: 'vault' };
});

test('without the mail server nothing is sent, it is escalated, and the draft stays', async () => {
  await place.deliver('reply');
  await place.round();
  const approved = approveByHand();
  place.mail = { ...place.mail, server: 'absent' };
  await place.round();
  place.mail = { ...place.mail, server: 'gmail' };
  expect(await place.sent()).toEqual([]);
  expect(existsSync(join(place.folder, approved))).toBe(true);
  expect(place.logs()).toContainEqual(
    expect.objectContaining({ event: 'mcp_escalation', severity: 'ERROR' }),
  );
});

test('a vault that cannot be written is waited for', async () => {
  const folder = join(place.folder, 'Needs_Action');
  mkdirSync(folder);
  // A file in the place of the folder: as root, permissions stop nobody.
  renameSync(folder, `${folder}-aside`);
  writeFileSync(folder, 'in the way');
  await place.deliver('reply');
  await place.room.run();
  await expect
    .poll(() => place.notices.length + place.faults.length, { timeout: 20_000 })
    .toBeGreaterThan(0);
  renameSync(folder, `${folder}-file`);
  renameSync(`${folder}-aside`, folder);
  chmodSync(folder, 0o755);
  await expect.poll(() => place.notes('Drafts'), { timeout: 30_000 }).toHaveLength(1);
});

test('a bounce is recognised, and joined to the mail that bounced', async () => {
  await place.deliver('reply');
  await place.round();
  approveByHand();
  await place.round();
  const report = 'Your message to ada@example.org could not be delivered. Address not found.';
  const [sent] = await place.sent();
  await place.deliver('Delivery Status Notification (Failure)', report, [
    'From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
    `In-Reply-To: ${sent?.headers['message-id']}`,
  ]);
  await place.round();
  expect(place.text(place.only('Needs_Action'))).toMatch(/status: needs_info[\s\S]*bounce_of: d/);
  expect(place.logs()).toContainEqual(expect.objectContaining({ event: 'email_delivery_failed' }));
  const { folders } = await place.ask('board', {});
  expect(folders.Done).toContainEqual(expect.objectContaining({ kind: 'draft', hasBounced: true }));
});

test('a report that anybody could have written is joined to nothing', async () => {
  await place.deliver('reply');
  await place.round();
  approveByHand();
  await place.round();
  const forged = 'Your message to ada@example.org could not be delivered.';
  await place.deliver('archive this', forged, [
    'From: Eve <eve@evil.example>',
    'X-Failed-Recipients: ada@example.org',
  ]);
  await place.deliver('Undeliverable: reply', `${forged}\nMessage-ID: <guessed@evil.example>`, [
    'From: postmaster@evil.example',
    'X-Failed-Recipients: ada@example.org',
  ]);
  await place.round();
  // The first is a mail like any other; the second goes to a person, who was told of nothing that we sent.
  expect(place.text(place.only('Needs_Action'))).toMatch(/Undeliverable[\s\S]*needs_info/);
  const notes = [...place.notes('Done').map((name) => `Done/${name}`), place.only('Needs_Action')];
  for (const path of notes) expect(place.text(path)).not.toMatch(/delivery: failed|bounce_of/);
  const searches = place.proxy.requests.map(({ path }) => decodeURIComponent(path));
  expect(searches).toContainEqual(expect.stringContaining('rfc822msgid:guessed@evil.example'));
});
