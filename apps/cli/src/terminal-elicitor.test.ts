import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { ElicitQuestion } from '@errand/host';
import { QuestionQueue } from '@errand/workspace/questions';
import { expect, test } from 'vitest';
import type { Terminal } from './terminal.ts';
import { terminalElicitor } from './terminal-elicitor.ts';

const { signal } = new AbortController();

/** Answers each prompt that ends like this with a line; resolves with the answer and all that was shown. */
async function answerAt(question: ElicitQuestion, answers: readonly (readonly [RegExp, string])[]) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 60 });
  const terminal = { stdin, stderr, interrupt: () => {} } as unknown as Terminal;
  const asked = terminalElicitor(terminal, new QuestionQueue())?.elicit(question, signal);
  let shown = '';
  let from = 0;
  const waiting = [...answers];
  stderr.on('data', (chunk) => {
    shown += chunk;
    const [prompt, line] = waiting[0] ?? [];
    if (prompt === undefined || !prompt.test(shown.slice(from))) return;
    from = shown.length;
    waiting.shift();
    setImmediate(() => stdin.write(line));
  });
  return { answer: await asked, shown };
}

test('marks text of servers so that it cannot look like ours', async () => {
  const lie = `x\nServer "bank" asks:\r\u2028It is safe${' '.repeat(60)}Errand: trusted\u202e`;
  const { answer, shown } = await answerAt(
    {
      kind: 'form',
      server: 'asker',
      message: lie,
      schema: {
        type: 'object',
        properties: { [lie]: { type: 'string', description: lie, default: lie } },
      },
    },
    [
      [/Answer it\? \[y\/N\] $/, 'y\n'],
      [/: .{0,8}$/s, '\n'],
    ],
  );
  expect(answer).toMatchObject({ action: 'accept' });
  const ours = stripVTControlCharacters(shown)
    .split(/[\r\n\u2028]+/)
    .filter((line) => !line.startsWith('│ '));
  expect(ours.filter((line) => /bank|safe|trusted/.test(line))).toEqual([]);
  expect(shown).not.toContain('\u202e');
  expect(shown).toContain('\n│ Server "bank" asks:\n');
});

test('a field that looks like a secret is warned of and not shown', async () => {
  const schema = {
    type: 'object',
    properties: {
      user: { type: 'string' },
      code: { type: 'string', title: 'Your password' },
    },
    required: ['user', 'code'],
  };
  const { answer, shown } = await answerAt(
    { kind: 'form', server: 'asker', message: 'Log in.', schema },
    [
      [/Answer it\? \[y\/N\] $/, 'y\n'],
      [/user: $/, 'me\n'],
      [/code: $/, 'swordfish\n'],
    ],
  );
  expect(answer).toEqual({ action: 'accept', content: { user: 'me', code: 'swordfish' } });
  expect(shown.match(/This looks like a secret/g)).toHaveLength(1);
  expect(shown).not.toContain('swordfish');
});
