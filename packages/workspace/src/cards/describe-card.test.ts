import { expect, test } from 'vitest';
import { type CardProblem, type CardSource, describeCard } from './describe-card.ts';

type Source = CardSource<CardProblem>;
type End = NonNullable<Source['end']>;

const block: Source['block'] = { server: 'weather', state: 'new', result: null };
const source: Source = {
  block,
  problem: null,
  mistakes: [],
  isServerDisabled: false,
  run: null,
  end: null,
};
const gone = { code: 'note_changed', message: 'The block is gone.' };
const ended: End = { status: 'refused', written: false, durationMs: 1_234, error: gone };

test.each([
  ['new', 'Never run', 'run', 'Run'],
  ['fresh', 'Up to date', 'run', 'Run again'],
  ['stale', 'Out of date', 'run', 'Run again'],
  ['failed', 'Failed', 'run', 'Run again'],
  ['edited', 'Edited by hand', 'replace', 'Replace the edited result'],
  ['invalid', 'Cannot run', 'run', 'Run'],
] as const)(
  'says what is known of a block and what its button does: %s',
  (state, text, kind, label) => {
    const card = describeCard({ ...source, block: { ...block, state } });
    expect(card).toMatchObject({ state, stateText: text, action: { kind, label } });
  },
);

test.each([
  [{ status: 'executing', waitingFor: null }, 'Running'],
  [{ status: 'pending', waitingFor: null }, 'Waiting for its turn'],
  [{ status: 'pending', waitingFor: 'server' }, 'Waiting for its server'],
  [{ status: 'pending', waitingFor: 'approval' }, 'Needs approval'],
] as const)('a run that is %j can be cancelled', (run, stateText) => {
  const card = describeCard({ ...source, run, end: ended });
  expect(card).toMatchObject({ state: 'running', stateText, problems: [], took: undefined });
  expect(card.action).toMatchObject({ kind: 'cancel', isEnabled: true });
});

test.each([
  ['error', 'new', 'failed', 'Failed'],
  ['timeout', 'fresh', 'failed', 'Took too long'],
  ['refused', 'new', 'failed', 'Did not run'],
  ['refused', 'edited', 'edited', 'Edited by hand'],
  ['skipped', 'fresh', 'fresh', 'Up to date'],
  ['cancelled', 'new', 'new', 'Stopped'],
] as const)('a run that ends with %s and writes nothing: %s', (status, before, state, text) => {
  const known = { ...block, state: before };
  const card = describeCard({ ...source, block: known, end: { ...ended, status } });
  expect([card.state, card.stateText]).toEqual([state, text]);
  expect(card.problems).toEqual([{ problem: gone, tone: 'bad' }]);
  const written = describeCard({
    ...source,
    block: known,
    end: { ...ended, status, written: true },
  });
  expect([written.state, written.problems]).toEqual([before, []]);
});

test('does not show an action of the person as a failure', () => {
  const error = { code: 'cancelled', message: 'It was cancelled.' };
  const { problems } = describeCard({ ...source, end: { ...ended, status: 'cancelled', error } });
  expect(problems).toEqual([{ problem: error, tone: 'neutral' }]);
});

test('says how long the last run took while its result is up to date', () => {
  const end: End = { ...ended, status: 'success', error: null, written: true };
  expect(describeCard({ ...source, block: { ...block, state: 'fresh' }, end }).took).toBe('1.2 s');
  expect(describeCard({ ...source, end }).took).toBe(undefined);
});

test('lists a problem before mistakes before the last error, and nothing twice', () => {
  const problem = { code: 'section_forbids', message: 'Not here.' };
  const mistake = { code: 'invalid_params', message: 'No number.' };
  const card = describeCard({ ...source, problem, mistakes: [mistake], end: ended });
  expect(card.problems.map(({ problem: { code }, tone }) => [code, tone])).toEqual([
    ['section_forbids', 'bad'],
    ['invalid_params', 'warn'],
    ['note_changed', 'bad'],
  ]);
  expect(card).toMatchObject({ state: 'refused', stateText: 'Not allowed here' });
  expect(card.action.isEnabled).toBe(false);
  const same = describeCard({ ...source, problem, end: { ...ended, error: { ...problem } } });
  expect(same.problems).toHaveLength(1);
});

test('does not repeat the error that stands below the block', () => {
  const error = { code: 'tool_failed', message: 'No station.' };
  const result = { status: 'error', code: 'tool_failed', payload: 'No station.' } as const;
  const end: End = { ...ended, status: 'error', error };
  expect(
    describeCard({ ...source, block: { ...block, state: 'failed', result }, end }).problems,
  ).toEqual([]);
});

test('the block of a disabled server cannot be run, and the card or the note says why', () => {
  const mistake = { code: 'invalid_params', message: 'No number.' };
  const card = describeCard({ ...source, isServerDisabled: true, mistakes: [mistake] });
  expect(card.action.isEnabled).toBe(false);
  expect(card.problems).toMatchObject([
    { problem: { code: 'server_disabled', message: 'Server weather is disabled' }, tone: 'warn' },
    { problem: mistake },
  ]);
  const result = { status: 'error', code: 'server_disabled', payload: 'It is.' } as const;
  const said = describeCard({ ...source, isServerDisabled: true, block: { ...block, result } });
  expect([said.action.isEnabled, said.problems]).toEqual([false, []]);
});

test('a disabled server is told once, by the call that it refused, and no longer when it is enabled', () => {
  const error = { code: 'server_disabled', message: 'It was auto-disabled.' };
  const end: End = { ...ended, status: 'refused', error };
  const card = describeCard({ ...source, isServerDisabled: true, end });
  expect(card.problems).toEqual([{ problem: error, tone: 'bad' }]);
  expect(describeCard({ ...source, isServerDisabled: false, end }).problems).toEqual([]);
});
