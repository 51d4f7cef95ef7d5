import { expect, test } from 'vitest';
import { inObsidianWords } from './in-obsidian-words.ts';

test.each([
  [
    'Server "a" ended by itself. See each step, and what it wrote last, with: errand servers test a',
    'Server "a" ended by itself. See each step, and what it wrote last, by testing it in the side view of Errand.',
  ],
  [
    'It broke. When that is mended: errand servers enable a',
    'It broke. When that is mended, enable it in the side view of Errand.',
  ],
  [
    'No server is enabled. Enable one with: errand servers enable NAME',
    'No server is enabled. Enable one in the side view of Errand.',
  ],
  ['Server not found: b. Add one with: errand servers add', /Add one in the settings of Errand\.$/],
  [
    'It needs the secret "K". Set it with: errand secrets set K',
    /Set it in the settings of Errand/,
  ],
  [
    'It does not let us in (HTTP 401). Log in with: errand servers login a, or put a token into its "headers" in the settings.',
    'It does not let us in (HTTP 401). Put a token into its "headers" in the settings.',
  ],
  [
    'It wants a login. Log in with: errand servers login a',
    /^It wants a login\. Put a token into its "headers" in the settings of Errand/,
  ],
  [
    'The result on line 5 was edited by hand. Delete it, or run again with --force to replace it.',
    /Delete it, or press “Replace the edited result” on the card of its block\.$/,
  ],
])('says what to do in Obsidian instead of in a terminal: %s', (message, expected) => {
  const words = inObsidianWords(message);
  if (typeof expected === 'string') expect(words).toBe(expected);
  else expect(words).toMatch(expected);
  expect(inObsidianWords(message)).not.toMatch(/: errand |--/);
});
