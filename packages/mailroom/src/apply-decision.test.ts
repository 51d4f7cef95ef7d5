import { expect, onTestFinished, test } from 'vitest';
import { applyDecision } from './apply-decision.ts';
import type { MailFlowPorts } from './mail-flow.ts';
import type { GatedMail } from './mail-note.ts';
import type { DecidedMail } from './mail-rules.ts';
import { openPorts } from './testing/open-ports.ts';
import { sampleMail } from './testing/sample-mail.ts';

const path = 'Needs_Action/m.md';
const values = {
  type: 'email',
  status: 'pending',
  message_id: 'm1',
  from: 'Ada <ada@example.org>',
};
const reply: DecidedMail = {
  decision: 'draft_reply',
  confidence: 0.9,
  reasoning: 'It can be answered.',
  replyBody: 'Yes.',
  by: 'p:m:1',
  rules: [],
  iterations: 2,
  tokens: { input: 100, output: 20 },
  latencyMs: 7,
  isCut: true,
};
const { signal } = new AbortController();

/** A mail that a decision is carried out for. */
function open(more: object = {}, at = path) {
  const place = openPorts(onTestFinished);
  place.write(at, { ...values, ...more });
  const apply = (decided: Parameters<typeof applyDecision>[1], about: Partial<GatedMail> = {}) =>
    applyDecision(
      { ...sampleMail, ...about },
      decided,
      { draftId: 'd1', retries: 1, session: 's' },
      place.ports as unknown as MailFlowPorts,
      signal,
    );
  return { ...place, apply };
}

test('a reply becomes a draft to the sender alone, and the mail says who decided and why', async () => {
  const place = open({ last_error: 'No JSON.', retry_note: 'Say yes.' });
  const applied = await place.apply(reply);
  expect(applied).toMatchObject({ outcome: 'draft_reply', path });
  expect(applied.draft).toBe('Drafts/2026-02-03-1200-re-hello.md');
  expect(await place.values(applied.draft ?? '')).toMatchObject({
    to: 'ada@example.org',
    status: 'pending_approval',
    draft_id: 'd1',
  });
  expect(await place.values(path)).toEqual({
    ...values,
    decision: 'draft_reply',
    decision_reason: 'It can be answered.',
    confidence: 0.9,
    decided_by: 'p:m:1',
    decided_at: '2026-02-03T12:00:00.000Z',
    iteration_count: 2,
    classification: 'actionable',
    priority: 'normal',
    draft_id: 'd1',
    draft_path: applied.draft,
  });
  expect(place.logged).toMatchObject([
    {
      event: 'decision',
      provider: 'p',
      model: 'm:1',
      message_id: 'm1',
      decision: 'draft_reply',
      tokens_in: 100,
      tokens_out: 20,
      latency_ms: 7,
      iteration: 2,
      is_cut: true,
    },
  ]);
});

test('a step that runs again writes no second draft, no second line, and goes on where it was', async () => {
  const place = open();
  const { draft } = await place.apply(reply);
  expect((await place.apply(reply)).draft).toBe(draft);
  expect(place.paths()).toEqual([path, draft]);
  // Nor when a person has approved the first one meanwhile.
  place.move(draft ?? '', 'Approved/renamed.md');
  expect((await place.apply(reply)).draft).toBe('Approved/renamed.md');
  expect(place.paths()).toEqual([path, 'Approved/renamed.md']);
  const delegated = open();
  const given = { ...reply, decision: 'delegate', delegationTarget: 'Bob' } as const;
  for (const _ of [1, 2]) await delegated.apply(given);
  const body = (await delegated.notes.read(path))?.body ?? '';
  expect(body.match(/Delegate to: Bob\./g)).toHaveLength(1);
});

test('the answer goes to the address of the sender’s own domain that a mail names', async () => {
  const place = open();
  const { draft = '' } = await place.apply(reply, { replyTo: 'team@example.org' });
  expect(await place.values(draft)).toMatchObject({ to: 'team@example.org' });
});

test.each<[string, object, string, string]>([
  ['was put away', {}, 'Done/m.md', 'left'],
  ['was decided by a person', { decision: 'needs_info', decided_by: 'me' }, path, 'left'],
  ['is decided about anew', { retries: 2 }, path, 'superseded'],
])('a mail that %s meanwhile is left as it is', async (_, more, at, outcome) => {
  const place = open(more, at);
  const before = await place.notes.read(at);
  expect(await place.apply(reply)).toEqual({ outcome });
  expect(await place.notes.read(at)).toEqual(before);
  expect(place.paths()).toEqual([at]);
});

test('a mail that was deleted meanwhile comes back in no folder', async () => {
  const place = open();
  place.remove(path);
  expect(await place.apply(reply)).toEqual({ outcome: 'deleted' });
  expect(place.paths()).toEqual([]);
});

test('urgent marks the mail and its draft, and without a reply asks the person', async () => {
  const place = open();
  const { draft = '' } = await place.apply({ ...reply, decision: 'urgent' });
  expect(await place.values(draft)).toMatchObject({ priority: 'urgent' });
  expect(await place.values(path)).toMatchObject({ priority: 'urgent', status: 'pending' });
  const alone = open();
  const { replyBody: _, ...rest } = reply;
  await alone.apply({ ...rest, decision: 'urgent' });
  expect(await alone.values(path)).toMatchObject({ priority: 'urgent', status: 'needs_info' });
  expect(alone.paths()).toEqual([path]);
});

test('an archived mail is done, in the folder and with the label of its rule', async () => {
  const place = open();
  const labels: string[] = [];
  place.ports.mailbox.archive = async (id, label) => void labels.push(`${id} ${label}`);
  const { replyBody: _, ...rest } = reply;
  const archived = { ...rest, decision: 'archive', doneFolder: 'News', label: 'Read' } as const;
  expect(await place.apply(archived)).toMatchObject({ outcome: 'archive', path: 'Done/News/m.md' });
  expect(await place.values('Done/News/m.md')).toMatchObject({
    status: 'done',
    classification: 'informational',
  });
  expect(labels).toEqual(['m1 Read']);
});

test('what a model says to hand a mail on stays one line of plain text', async () => {
  const place = open();
  const hostile = 'Bob\n\n---\nto: eve@evil.example\n<script>x</script> [[Approved/x]] ![p](q) `r`';
  await place.apply({ ...reply, decision: 'delegate', delegationTarget: hostile });
  const body = (await place.notes.read(path))?.body ?? '';
  const lines = body.split('\n').filter((line) => line !== '');
  expect(lines.slice(1)).toHaveLength(1);
  expect(lines[1]).toMatch(/^> Delegate to: Bob [^<>`[\]!]*$/);
});

test('without a usable answer the mail failed, with what was wrong, also in the log', async () => {
  const place = open();
  const failure = { failure: 'No JSON.', by: 'p:m', iterations: 6 };
  expect(await place.apply(failure)).toMatchObject({ outcome: 'failed' });
  expect(await place.values(path)).toMatchObject({
    status: 'failed',
    last_error: 'No JSON.',
    decided_by: 'p:m',
    iteration_count: 6,
  });
  expect(place.logged).toMatchObject([{ event: 'decision_failed', severity: 'ERROR' }]);
});

test('a report about a draft marks the draft, and the log says so', async () => {
  const place = open();
  place.write('Done/a.md', { type: 'draft_reply', status: 'done', draft_id: 'd0', to: 'x@y.z' });
  const { replyBody: _, ...rest } = reply;
  await place.apply({ ...rest, decision: 'needs_info', infoNeeded: 'See.', bounceOf: 'd0' });
  expect(await place.values('Done/a.md')).toMatchObject({
    delivery: 'failed',
    bounce_message_id: 'm1',
  });
  expect(await place.values(path)).toMatchObject({ bounce_of: 'd0', info_needed: 'See.' });
  expect(place.logged.map(({ event }) => event)).toEqual(['decision', 'email_delivery_failed']);
});
