import { applyEdits } from '@errand/document';
import { expect, test } from 'vitest';
import { type CursorPosition, planQuestion } from './plan-question.ts';

const context = {
  servers: [],
  brokenBindings: [],
  documentPath: 'note.md',
  assistants: ['Claude'],
};
const plan = (text: string, place: CursorPosition = {}) => planQuestion(text, place, context);

/** The text with a cursor after planning, written as |. */
function written(text: string, place: CursorPosition = {}): string {
  const planned = plan(text, place);
  if (planned.kind !== 'write') throw new Error(planned.kind);
  const after = planned.edit === null ? text : applyEdits(text, [planned.edit]);
  return `${after.slice(0, planned.cursor)}|${after.slice(planned.cursor)}`;
}

test('answers the unanswered question at the cursor', () => {
  const text = '# A\n\n#User : a\n\n# B\n\n#User : b\n\n#Claude : c\n';
  expect(plan(text, { line: 3 })).toEqual({ kind: 'ask' });
  expect(plan(text, { line: 8 }).kind).toBe('write');
  expect(plan(text).kind).toBe('write');
});

test('asks the selected text, unless it belongs to the unanswered question', () => {
  const text = 'Why is it cold?\n\n#User : a\n';
  const ask = (from: number, to: number) => plan(text, { line: 1, selection: [from, to] });
  expect(ask(0, 15)).toEqual({ kind: 'ask', question: 'Why is it cold?' });
  expect(ask(17, 26)).toEqual({ kind: 'ask' });
});

test('begins a question below the text of the section, with the cursor behind it', () => {
  expect(written('', { line: 1 })).toBe('#User : |');
  expect(written('Text.\n', { line: 1 })).toBe('Text.\n\n#User : |\n');
  expect(written('# A\ntext\n\n# B\nmore\n', { line: 1 })).toBe(
    '# A\ntext\n\n#User : |\n\n# B\nmore\n',
  );
  expect(written('#User : a\n\n#Claude : b\n')).toBe('#User : a\n\n#Claude : b\n\n#User : |\n');
});

test('moves the cursor to an empty question', () => {
  expect(written('text\n\n#User :\n')).toBe('text\n\n#User :|\n');
});

test('says why no question can be written', () => {
  expect(plan('```js\nopen\n', { line: 2 })).toMatchObject({
    kind: 'impossible',
    message: expect.stringContaining('Close it'),
  });
});
