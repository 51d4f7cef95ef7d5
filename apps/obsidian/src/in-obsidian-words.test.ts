import { expect, test } from 'vitest';
import { inObsidianWords } from './in-obsidian-words.ts';

test.each([
  [
    'It ended by itself. See each step, and what it wrote last, with: errand servers test a',
    'It ended by itself. Test it in the settings of Errand to see each step and what it wrote last.',
  ],
  [
    'It failed. When that is mended: errand servers enable my-a',
    'It failed. When that is mended, enable it in the settings of Errand.',
  ],
  [
    'Server a is disabled. Enable it with: errand servers enable a',
    'Server a is disabled. Enable it in the settings of Errand.',
  ],
  [
    'Server not found: b. Add one with: errand servers add',
    'Server not found: b. Add one in the settings of Errand.',
  ],
  [
    'It does not let us in (HTTP 401). Log in with: errand servers login a, or put a token into its "headers" in the settings.',
    'It does not let us in (HTTP 401). Put a token into its "headers" in the settings.',
  ],
  [
    'It needs the secret "KEY", which is not set. Set it with: errand secrets set KEY',
    'It needs the secret "KEY", which is not set. Set it in the settings of Errand.',
  ],
  [
    'KEY is not set. Set it before Errand starts, or keep it as a secret: errand secrets set KEY, and name it.',
    'KEY is not set. Set it before Errand starts, or keep it as a secret in the settings of Errand, and name it.',
  ],
  [
    'The result on line 15 was edited by hand. Delete it, or run again with --force to replace it.',
    'The result on line 15 was edited by hand. Press "Replace the edited result" on its card, or delete it.',
  ],
])('says where in Obsidian instead of what to type into a terminal: %s', (message, expected) => {
  expect(inObsidianWords(message)).toBe(expected);
});
