import { type Advice, fixedError, HostError } from '@errand/host';
import { expect, test } from 'vitest';
import { describeFailure, failureText, joinSentences, noticeParts } from './describe-failure.ts';

/** A face that names the kind of each advice. */
const renderer = new Proxy(
  {},
  { get: (_, kind: string) => (kind.startsWith('set-') ? () => 'Set it.' : () => `${kind}: go`) },
) as Parameters<typeof describeFailure>[1];

const advice: readonly Advice[] = [{ kind: 'log-in', server: 'a' }];

test('tells the headline that people know apart from the rest of the message', () => {
  const error = fixedError('tool_not_found', { tool: 'read', detail: 'Server "a" offers: x.' });
  expect(error.message).toBe('Tool not found: read. Server "a" offers: x.');
  expect(describeFailure(error, renderer)).toEqual({
    headline: 'Tool not found: read',
    detail: 'Server "a" offers: x.',
    steps: ['correct-tool: go'],
  });
});

test('has the whole message as its headline where there is no fixed one', () => {
  const error = new HostError('login_required', 'It wants a login.', { server: 'a' }, { advice });
  expect(describeFailure(error, renderer)).toEqual({
    headline: 'It wants a login.',
    steps: ['log-in: go'],
  });
});

test('says the same step once', () => {
  const twice = [
    { kind: 'set-secret', name: 'a' },
    { kind: 'set-token', server: 'b' },
  ] as const;
  expect(failureText({ message: 'It is locked.', advice: twice }, renderer)).toBe(
    'It is locked. Set it.',
  );
});

test('puts advice behind the reason of a notice, or behind its message', () => {
  expect(noticeParts({ message: 'Lost', detail: 'It ended.', advice }, renderer)).toEqual({
    message: 'Lost',
    detail: 'It ended. log-in: go',
  });
  expect(noticeParts({ message: 'Lost', advice }, renderer)).toEqual({
    message: 'Lost. log-in: go',
  });
});

test.each([
  ['It broke', [], 'It broke'],
  ['It broke', ['Mend it.'], 'It broke. Mend it.'],
  ['Retrying...', ['Wait.'], 'Retrying... Wait.'],
  ['It broke.', ['Run: errand x', 'Or wait.'], 'It broke. Run: errand x\nOr wait.'],
  ['It broke.', ['Mend it.', 'Or wait.'], 'It broke. Mend it. Or wait.'],
])('joins %j and %j', (statement, steps, text) => {
  expect(joinSentences(statement, steps)).toBe(text);
});
