import { expect, test } from 'vitest';
import type { NoteHead } from './note-head.ts';
import { type ActionPorts, RoundActions } from './round-actions.ts';

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
