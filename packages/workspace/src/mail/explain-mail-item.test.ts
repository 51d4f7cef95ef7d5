import type { MailItem, MailReasons } from '@errand/mailroom';
import { expect, test } from 'vitest';
import { describeMailReasons } from './describe-mail-reasons.ts';
import { explainMailItem } from './explain-mail-item.ts';

const item: MailItem = {
  id: 'd1',
  kind: 'draft',
  path: 'Approved/d1.md',
  folder: 'Approved',
  state: 'approved',
  isUrgent: false,
  who: 'ada@example.org',
  subject: 'Re: Beams',
};

test.each([
  [{}, undefined],
  [{ state: 'needs-info', question: 'Which Thursday?' }, 'Which Thursday?'],
  [{ state: 'needs-info' }, expect.stringContaining('It has no reply.')],
  [{ state: 'delegated', question: 'Ines Faro' }, 'For Ines Faro.'],
  [{ state: 'delegated' }, undefined],
  [{ state: 'expired' }, expect.not.stringContaining('two days')],
  [
    { state: 'retrying', attempts: 1, lastError: 'Gmail did not answer' },
    'Tried once without success. Gmail did not answer.',
  ],
  [{ state: 'retrying', attempts: 3 }, 'Tried 3 times without success.'],
  [{ state: 'misplaced' }, expect.stringContaining('Move it to Drafts')],
  [{ state: 'misplaced', kind: 'mail' }, expect.stringContaining('Nothing is sent')],
  [{ state: 'unreadable', problem: 'line 2' }, expect.stringContaining('cannot be read: line 2.')],
  [{ hasBounced: true, state: 'sent' }, 'It could not be delivered.'],
] as const)('a note with %j is explained', (change, words) => {
  expect(explainMailItem({ ...item, ...change })).toEqual(words);
});

test('the reasons name the decision, the rules above the model, the model and what was taken out', () => {
  const reasons: MailReasons = {
    item,
    decision: 'needs_info',
    confidence: 0.912,
    reasoning: 'It needs no answer.',
    decidedBy: 'openai-compatible:scripted',
    tokens: { input: 800, output: 40 },
    latencyMs: 1_234,
    iterations: 2,
    rules: ['money'],
    redactions: [{ kind: 'card', count: 2 }],
    isCut: true,
    history: [],
  };
  expect(describeMailReasons(reasons)).toEqual([
    'A person was asked (91 % sure).',
    'It is about money, so it is never archived.',
    'The reason given: It needs no answer.',
    'Asked: openai-compatible:scripted (800 tokens read, 40 written, 1.2 s).',
    'The model was asked 2 times.',
    'The model saw only the beginning and the end of the text.',
    'Taken out before it was stored: 2 card numbers.',
  ]);
  const undecided = { item, rules: [], redactions: [], isCut: false, history: [] };
  expect(describeMailReasons(undecided)).toEqual(['Nothing has been decided yet.']);
});
