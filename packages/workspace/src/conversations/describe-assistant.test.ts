import { expect, test } from 'vitest';
import { describeAssistant } from './describe-assistant.ts';

test('says where an assistant sends what, on lines that cannot pass for others', () => {
  const key = '$' + '{secret:k}';
  expect(describeAssistant({ provider: 'anthropic', model: 'a\nwith nothing', key })).toEqual([
    expect.stringMatching(/answers of tools to anthropic, model "a.*with nothing"$/),
    `with ${key}`,
  ]);
  const local = {
    provider: 'openai-compatible',
    model: 'm',
    baseUrl: 'http://127.0.0.1/v1',
  } as const;
  expect(describeAssistant(local)).toEqual([
    expect.stringContaining('to http://127.0.0.1/v1, model "m"'),
  ]);
});
