import { applyEdits, scan, type ToolBlock, writeResult } from '@errand/document';
import type { BlockOutcome } from '@errand/host';
import { localServer } from '@errand/host/testing';
import { NoteBlocks } from '@errand/workspace/runs';
import { expect, test } from 'vitest';
import { describeRequest } from './describe-request.ts';

const request = '```notes\ntool: echo\ntext: hello\ncount: 2\n```\n';

function blockOf(text: string): ToolBlock {
  const [found] = new NoteBlocks(() => ({
    servers: [localServer('notes')],
    brokenBindings: [],
  })).of('note.md', text);
  if (found === undefined) throw new Error('The note has no block.');
  return found.block;
}

test('shows the parameters as they are written', () => {
  const { tool, params } = describeRequest(blockOf(request), undefined, undefined);
  expect(tool).toBe('echo');
  expect(params).toEqual([
    ['text', 'hello'],
    ['count', '2'],
  ]);
});

/** The request with an answer below it. */
function answered(): string {
  const written = writeResult(scan(request), blockOf(request), {
    status: 'success',
    type: 'text',
    payload: 'hello',
  });
  return written.kind === 'edit' ? applyEdits(request, [written.edit]) : request;
}

test.each([
  ['new', request, 'Run'],
  ['fresh', answered(), 'Run again'],
  ['stale', answered().replace('count: 2', 'count: 3'), 'Run again'],
  ['edited', answered().replace(/hello\n```\n$/, 'mine\n```\n'), 'Replace the edited result'],
])('says what pressing the button does: %s', (state, text, label) => {
  const card = describeRequest(blockOf(text), undefined, undefined);
  expect([card.state, card.action.label]).toEqual([state, label]);
});

test('shows how far a running block is and offers to cancel it', () => {
  const run = {
    since: 0,
    status: 'executing' as const,
    waitingFor: null,
    startedAt: 0,
    progress: { progress: 3, total: 9, message: 'Reading\nnotes' },
  };
  const card = describeRequest(blockOf(request), run, undefined);
  expect([card.state, card.stateText, card.action.kind]).toEqual(['running', 'Running', 'cancel']);
  expect([card.since, card.progress]).toEqual([0, { value: 3, max: 9, text: '3 of 9: Reading' }]);
});

const ended: BlockOutcome = {
  line: 1,
  server: null,
  tool: 'echo',
  status: 'refused',
  durationMs: 1_234,
  attempts: 0,
  written: false,
  error: { code: 'note_changed', message: 'The block is gone. Run it again.' },
};

test('says why the last run left no result', () => {
  const card = describeRequest(blockOf(request), undefined, ended);
  expect([card.stateText, card.message]).toEqual([
    'Did not run',
    'The block is gone. Run it again.',
  ]);
  expect([card.state, card.isNeutral]).toEqual(['failed', false]);
});

test('does not show a cancelled run as a failure', () => {
  const error = { code: 'cancelled', message: 'It was cancelled.' } as const;
  const end: BlockOutcome = { ...ended, status: 'cancelled', error };
  const card = describeRequest(blockOf(request), undefined, end);
  expect([card.stateText, card.message, card.isNeutral]).toEqual(['Stopped', error.message, true]);
});

test('says that a server is disabled, and where to enable it', () => {
  const card = describeRequest(blockOf(request), undefined, undefined, {
    isDisabled: true,
    mistakes: [],
  });
  expect(card.message).toMatch(/is disabled\. Enable it in the side view of Errand\.$/);
  expect(card.action.isEnabled).toBe(false);
});

test('says which parameter its tool would refuse, and can still be run', () => {
  const mistakes = [
    { code: 'invalid_params', message: 'count: Write a number.', line: 4 },
  ] as const;
  const server = { isDisabled: false, mistakes };
  const card = describeRequest(blockOf(request), undefined, undefined, server);
  expect([card.message, card.isNeutral]).toEqual(['count: Write a number.', false]);
  expect(card.action.isEnabled).toBe(true);
});
