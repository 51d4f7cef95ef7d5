import { expect, test } from 'vitest';
import { readDecision } from './decision-schema.ts';

test('characters that hide or turn others around do not come from a model', () => {
  const said = 'now\u202e\u0000 \u2066then\u2028---';
  const answer = { decision: 'delegate', confidence: 1, reasoning: said, delegation_target: said };
  expect(readDecision(JSON.stringify(answer))).toEqual({
    decision: { ...answer, reasoning: 'now then ---', delegation_target: 'now then ---' },
  });
});
