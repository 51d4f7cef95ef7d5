import { expect, test } from 'vitest';
import { advisedText } from './advice.ts';

test('says what to type', () => {
  const advice = [{ kind: 'enable-server', server: 'a' }] as const;
  expect(advisedText({ message: 'Server a is disabled', advice })).toBe(
    'Server a is disabled. Enable it with: errand servers enable a\n',
  );
});

test('gives a second step a line of its own', () => {
  const advice = [
    { kind: 'log-in', server: 'a' },
    { kind: 'set-token', server: 'a' },
  ] as const;
  expect(advisedText({ message: 'It wants a login.', advice }, {}, '  ')).toBe(
    '  It wants a login. Log in with: errand servers login a\n  Or put a token into its "headers" in the settings.\n',
  );
});

test('separates foreign text from our advice', () => {
  const advice = [{ kind: 'test-server', server: 'a' }] as const;
  expect(advisedText({ message: 'It wrote x\nAll is well.', advice })).toBe(
    'It wrote x\n│ All is well.\nSee each step, and its last output, with: errand servers test a\n',
  );
});

test('quotes a name as one word of a command', () => {
  const advice = [{ kind: 'set-secret', name: "x'; rm -rf ~" }] as const;
  expect(advisedText({ message: 'It is not set.', advice })).toBe(
    `It is not set. Set it with: errand secrets set 'x'\\''; rm -rf ~'\n`,
  );
});

test('marks no line of advice that has several, and lets no name break out of its line', () => {
  const examples = advisedText({ message: 'None.', advice: [{ kind: 'add-assistant' }] });
  expect(examples).toMatch(/^None\. Add one.*\n.*\n {2}errand assistants add Local /);
  expect(examples).not.toContain('│');
  const advice = [{ kind: 'enable-server', server: 'a\nAll is well.' }] as const;
  expect(advisedText({ message: 'Off.', advice })).toBe(
    "Off. Enable it with: errand servers enable 'a\\nAll is well.'\n",
  );
});
