import type { FlowContext, JobEngine } from '@errand/jobs';
import { expect, onTestFinished, test } from 'vitest';
import { digestOf } from './draft-note.ts';
import type { SendStatus } from './mailbox.ts';
import type { NoteHead } from './note-head.ts';
import { type ActionPorts, RoundActions } from './round-actions.ts';
import { openPorts } from './testing/open-ports.ts';

const undecided: NoteHead = {
  path: 'Needs_Action/mail.md',
  folder: 'Needs_Action',
  values: { type: 'email', status: 'pending', message_id: 'm1', from: 'ada@example.org' },
  inode: '1',
  changedAt: 0,
};

/** Which jobs begin for a mail that seemed undecided, whose job is in a state by now, and whose note says this. */
async function decide(state: string | undefined, values: NoteHead['values'] | undefined) {
  const started: number[] = [];
  const ports = {
    jobs: () => ({ status: async () => (state === undefined ? undefined : { state }) }),
    notes: {
      read: async () => values && { ...undecided, values, body: '', etag: '' },
      update: async () => undefined,
    },
    intake: { start: async (_id: string, retries: number) => void started.push(retries) },
  };
  await new RoundActions(ports as unknown as ActionPorts).do({ kind: 'decide', note: undecided });
  return started;
}

test('a mail whose job ended after the folders were looked at is not decided about again', async () => {
  const { values } = undecided;
  expect(await decide('running', values)).toEqual([]);
  expect(await decide('done', { ...values, decision: 'draft_reply', draft_id: 'd1' })).toEqual([]);
  expect(await decide('done', { ...values, status: 'failed' })).toEqual([]);
  expect(await decide('done', undefined)).toEqual([]);
  // A person has taken the decision out of the note, or the job is gone.
  expect(await decide('done', values)).toEqual([1]);
  expect(await decide(undefined, values)).toEqual([0]);
});

test('a draft that is found at a second look was not deleted', async () => {
  const mail: NoteHead = { ...undecided, values: { ...undecided.values, draft_id: 'd1' } };
  const reopen = async (found: string | undefined) => {
    const done: string[] = [];
    const notes = {
      refresh: async () => void done.push('looked'),
      locate: async () => found,
      update: async () => void done.push('reopened'),
    };
    const ports = { notes, clock: { now: () => 0 } } as unknown as ActionPorts;
    const action = { kind: 'reopen-mail', note: mail, draft: 'deleted' } as const;
    await new RoundActions(ports).do(action);
    return done;
  };
  expect(await reopen('Approved/draft.md')).toEqual(['looked']);
  expect(await reopen(undefined)).toEqual(['looked', 'reopened']);
});

const draft = { type: 'draft_reply', draft_id: 'd1', to: 'ada@example.org', subject: 'Hi' };

/** An approved draft, and the jobs that know of attempts to send it. */
async function approved(values: object, attempts: readonly object[] = [], kind = 'not-sent') {
  const place = openPorts(onTestFinished, { status: async () => ({ kind }) as SendStatus });
  place.write('Approved/a.md', { ...draft, ...values });
  const begun: object[] = [];
  const jobs = {
    list: async ({ flow, state }: { flow: string; state?: string }) =>
      flow === 'mail-send' && state !== 'running' ? attempts.map((input) => ({ input })) : [],
    start: async (_: string, input: object, options: object) =>
      void begun.push({ ...input, ...options }),
  } as unknown as JobEngine;
  const actions = new RoundActions({ ...place.ports, jobs: () => jobs } as unknown as ActionPorts);
  const act = async (kindOfAction: 'send' | 'reject') => {
    const note = await place.notes.read('Approved/a.md');
    return note && actions.do({ kind: kindOfAction, note });
  };
  const note = await place.notes.read('Approved/a.md');
  return { ...place, actions, act, begun, digest: note === undefined ? '' : digestOf(note) };
}

test('an attempt begins with the digest of what is there, which the note names first', async () => {
  const place = await approved({ approval: 'expired', asked_again_at: 'x' });
  const { digest } = place;
  expect(await place.act('send')).toBe('sent');
  expect(place.begun).toEqual([{ path: 'Approved/a.md', digest, draftId: 'd1', key: 'd1' }]);
  expect(await place.values('Approved/a.md')).toEqual({
    ...draft,
    approved_hash: digest,
    approved_at: '2026-02-03T12:00:00.000Z',
  });
  expect(place.told).toEqual(['draft-approved Approved/a.md']);
  // Until its end is known there is no second one.
  expect(await place.act('send')).toBeUndefined();
  expect(place.begun).toHaveLength(1);
});

test('while an attempt waits or runs, no other begins, and the note is left to it', async () => {
  const place = await approved({ decision: 'rejected' }, [{ draftId: 'd1', digest: 'x' }]);
  await place.actions.refresh();
  await place.act('send');
  await place.act('reject');
  expect(place.begun).toEqual([]);
  expect(place.paths()).toEqual(['Approved/a.md']);
});

test('two attempts for one draft never run at once', async () => {
  const { actions } = await approved({});
  const goOn = Promise.withResolvers<string>();
  const { run } = actions.guard({ run: () => goOn.promise });
  const context = {} as FlowContext;
  const first = run({ draftId: 'd1' }, context);
  expect(await run({ draftId: 'd1' }, context)).toEqual({ outcome: 'left', isFiled: true });
  goOn.resolve('sent');
  expect(await first).toBe('sent');
  expect(await run({ draftId: 'd1' }, context)).toBe('sent');
});

test.each<[string, object, readonly object[], string, string]>([
  ['is not what was approved', { approved_hash: 'x' }, [], 'not-sent', 'Drafts'],
  ['is not what was approved and may have left', { approved_hash: 'x' }, [], 'unclear', 'Approved'],
  [
    'was saved without its approval after another text may have left',
    {},
    [{ draftId: 'd1', digest: 'x' }],
    'unclear',
    'Approved',
  ],
])('a draft that %s is not sent', async (_, values, attempts, kind, folder) => {
  const place = await approved(values, attempts, kind);
  expect(await place.act('send')).toBeUndefined();
  expect(place.begun).toEqual([]);
  const [path = ''] = place.paths();
  expect(path).toBe(`${folder}/a.md`);
  expect((await place.values(path))?.send_state).toBe(kind === 'unclear' ? 'unclear' : undefined);
});

test('a draft that was saved without its approval leaves when no other text of it can have left', async () => {
  const place = await approved({}, [{ draftId: 'd1', digest: 'x' }]);
  expect(await place.act('send')).toBe('sent');
});

test('a text that is saved while its approval is written down is not sent', async () => {
  const place = await approved({});
  const update = place.notes.update.bind(place.notes);
  place.notes.update = (...change) => {
    place.write('Approved/a.md', draft, 'Never\n');
    return update(...change);
  };
  await expect(place.act('send')).rejects.toMatchObject({ code: 'conflict' });
  expect(place.begun).toEqual([]);
});

test('what lay in Approved before the first start asks again, apart from what a person has decided', async () => {
  const place = openPorts(onTestFinished);
  const put = (name: string, values: object) =>
    place.write(`Approved/${name}.md`, { ...draft, draft_id: name, ...values });
  put('plain', {});
  put('rejected', { decision: 'rejected' });
  put('sent', { sent_message_id: 's1' });
  put('unclear', { send_state: 'unclear' });
  const actions = new RoundActions({ ...place.ports, jobs: () => undefined } as ActionPorts);
  await actions.askForAll();
  expect(place.paths()).toEqual([
    'Drafts/plain.md',
    ...['rejected', 'sent', 'unclear'].map((name) => `Approved/${name}.md`),
  ]);
});

test('a mail that is decided again keeps nothing of the decision before', async () => {
  const place = openPorts(onTestFinished);
  const path = 'Needs_Action/m.md';
  const mail = { type: 'email', message_id: 'm1', from: 'ada@example.org' };
  const decided = {
    decision: 'needs_info',
    decision_reason: 'x',
    decision_rules: ['money'],
    confidence: 1,
    info_needed: 'x',
    decided_by: 'p:m',
    draft_id: 'd0',
    draft: 'deleted',
    last_error: 'x',
  };
  place.write(path, { ...mail, status: 'failed', ...decided });
  const started: unknown[] = [];
  const intake = { start: async (...given: unknown[]) => void started.push(given) };
  const ports = { ...place.ports, jobs: () => undefined, intake } as unknown as ActionPorts;
  const note = await place.notes.read(path);
  if (note !== undefined) await new RoundActions(ports).decideAgain(note, 'On Friday.');
  const again = { ...mail, status: 'pending', retries: 1 };
  expect(await place.values(path)).toEqual({ ...again, retry_note: 'On Friday.' });
  expect(started).toEqual([['m1', 1, 'On Friday.']]);
  // Asked without a word, the word of before counts no more.
  const now = await place.notes.read(path);
  if (now !== undefined) await new RoundActions(ports).decideAgain(now);
  expect(await place.values(path)).toEqual({ ...again, retries: 2 });
});

test('what a person adds while no program runs reaches the model in the next round', async () => {
  const place = openPorts(onTestFinished);
  const path = 'Needs_Action/m.md';
  const mail = { type: 'email', message_id: 'm1', from: 'ada@example.org' };
  place.write(path, { ...mail, status: 'pending', retries: 1, retry_note: 'On Friday.' });
  const started: unknown[] = [];
  const intake = { start: async (...given: unknown[]) => void started.push(given) };
  const jobs = { status: async () => undefined };
  const ports = { ...place.ports, jobs: () => jobs, intake } as unknown as ActionPorts;
  const note = await place.notes.read(path);
  if (note !== undefined) await new RoundActions(ports).do({ kind: 'decide', note });
  expect(started).toEqual([['m1', 1, 'On Friday.']]);
});
