import { expect, test } from 'vitest';
import { inObsidianWords } from './in-obsidian-words.ts';

test.each([
  [
    'It ended. See each step, and what it wrote last, with: errand servers test notes',
    'It ended. Press Test connection in the settings of Errand to see each step.',
  ],
  [
    'Check its command, and change what is wrong with: errand servers edit notes',
    'Check its command, and change what is wrong in the settings of Errand.',
  ],
  ['Look at it and agree with: errand trust', 'Look at it and agree in the settings of Errand.'],
  [
    'The secret "a" is not set. Set it with: errand secrets set a',
    'The secret "a" is not set. Set it under Secrets in the settings of Errand.',
  ],
  ['Nobody answers.', 'Nobody answers.'],
])('names the place in Obsidian: %s', (message, words) => {
  expect(inObsidianWords(message)).toBe(words);
});
