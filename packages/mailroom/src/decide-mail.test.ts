import { expect, test } from 'vitest';
import { type DecideContext, decideMail, type ModelQuestion } from './decide-mail.ts';
import { sampleMail } from './testing/sample-mail.ts';

const archive = '{"decision":"archive","confidence":0.9,"reasoning":"Nothing to do."}';
const { signal } = new AbortController();

/** Decides about the mail with a model that gives these answers in turn, the last one for ever. */
async function decide(answers: readonly string[], more: Partial<DecideContext> = {}) {
  const asked: ModelQuestion[] = [];
  let time = 0;
  const decided = await decideMail(
    sampleMail,
    {
      settings: { rules: [] },
      own: 'owner@example.org',
      recent: 1,
      minConfidence: 0.7,
      mark: 'abcd1234',
      monotonic: () => time,
      ask: async ({ instructions, messages }) => {
        asked.push({ instructions, messages: [...messages] });
        time += 10;
        const text = answers[asked.length - 1] ?? answers.at(-1) ?? '';
        return { text, by: 'p:m', tokens: { input: 100, output: 5 } };
      },
      ...more,
    },
    signal,
  );
  return { decided, asked };
}

test('a wrong answer is corrected with the mail and the answer still there, and all of it is counted', async () => {
  const { decided, asked } = await decide(['I would archive it.', '[]', archive]);
  expect(decided).toMatchObject({
    decision: 'archive',
    by: 'p:m',
    iterations: 3,
    tokens: { input: 300, output: 15 },
    latencyMs: 30,
  });
  const [, , third] = asked;
  expect(third?.messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'user',
    'assistant',
    'user',
  ]);
  expect(third?.messages[0]?.text).toContain('Can you come on Friday?');
  expect(third?.messages[1]?.text).toBe('I would archive it.');
  expect(third?.messages[4]?.text).toContain('not one JSON object');
});

test('after five corrections nobody is asked any more', async () => {
  const { decided, asked } = await decide(['']);
  expect(asked).toHaveLength(6);
  expect(decided).toMatchObject({ by: 'p:m', iterations: 6 });
  expect('failure' in decided && decided.failure).toContain('6 attempts');
});

test('what a person adds and who they are is said outside of the mail', async () => {
  const { asked } = await decide([archive], { note: 'Say yes.', about: 'I am Jo.' });
  const [{ instructions = '', messages = [] } = {}] = asked;
  expect(instructions).toContain('About the person: I am Jo.');
  expect(messages[0]?.text.split('[end abcd1234]')[1]).toContain('The person adds: Say yes.');
  const [plain] = (await decide([archive])).asked;
  expect(JSON.stringify(plain)).not.toMatch(/About the person|The person adds/);
});

test('a rule of the settings adds to the decision of a model what it does not leave open', async () => {
  const rules = [{ name: 'ada', from: 'ada@', folder: 'Ada', label: 'Ada', hook: 'h1' }];
  const { decided, asked } = await decide([archive], { settings: { rules } });
  expect(asked).toHaveLength(1);
  expect(decided).toMatchObject({
    decision: 'archive',
    rule: 'ada',
    doneFolder: 'Ada',
    label: 'Ada',
    hook: 'h1',
  });
});

test('where a rule decides, no model is asked', async () => {
  const rules = [{ from: 'ada@', decision: 'urgent' as const }];
  const { decided, asked } = await decide([archive], { settings: { rules } });
  expect(decided).toMatchObject({ decision: 'urgent', by: 'rule', iterations: 0 });
  expect(asked).toEqual([]);
});
