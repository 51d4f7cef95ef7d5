import { expect, test } from 'vitest';
import { inPageWords } from './in-page-words.ts';

test.each([
  [
    'Server "a" ended by itself. See each step, and what it wrote last, with: errand servers test a',
    'Server "a" ended by itself. See each step, and what it wrote last, by testing it in Servers.',
  ],
  [
    'It broke. Check its command, and change what is wrong with: errand servers edit my-a',
    'It broke. Check its command, and change what is wrong in Servers.',
  ],
  [
    'It is disabled. Enable it with: errand servers enable a',
    'It is disabled. Enable it in Servers.',
  ],
  [
    'It failed. When that is mended: errand servers enable a',
    'It failed. When that is mended, enable it in Servers.',
  ],
  [
    'Server not found: b. Add one with: errand servers add',
    'Server not found: b. Add one in Servers.',
  ],
  [
    'No server is enabled. See them with: errand servers',
    'No server is enabled. See them in Servers.',
  ],
  [
    'It needs the secret "KEY". Set it with: errand secrets set KEY',
    'It needs the secret "KEY". Set it in Settings.',
  ],
  [
    'It would run x. Look at it and agree with: errand trust',
    'It would run x. Look at it and agree in Servers.',
  ],
  [
    'The result on line 15 was edited by hand. Delete it, or run again with --force to replace it.',
    'The result on line 15 was edited by hand. Run the block by itself: you are asked whether to keep or to replace it.',
  ],
])('says where in the page instead of what to type into a terminal: %s', (message, expected) => {
  expect(inPageWords(message)).toBe(expected);
});

test('leaves alone what the page has no place for', () => {
  const message = 'It does not let us in. Log in with: errand servers login a';
  expect(inPageWords(message)).toBe(message);
});
