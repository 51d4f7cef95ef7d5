import { expect, test } from 'vitest';
import { inObsidianWords } from './in-obsidian-words.ts';

test.each([
  [
    'Server "gmail" is disabled. Enable it with: errand servers enable gmail',
    'Server "gmail" is disabled. Enable it in the settings of Errand.',
  ],
  [
    'Somebody changed the answer. Delete it, or run again with --force to replace it.',
    'Somebody changed the answer. Press "Replace the edited result" to lose it.',
  ],
  ['It took longer than 30 s.', 'It took longer than 30 s.'],
])('names no command of a shell: %s', (message, words) => {
  expect(inObsidianWords(message)).toBe(words);
});
