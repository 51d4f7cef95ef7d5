import { expect, test } from 'vitest';
import { sessionName } from './session-name.ts';

test.each([
  [{ note: 'a.md', conversation: null }, 'a.md'],
  [{ note: 'a.md', conversation: 'How\n\nwarm?' }, 'conversation “How warm?” in a.md'],
  [{ note: null, conversation: 'x'.repeat(50) }, `conversation “${'x'.repeat(40)}…”`],
  [{ note: null, conversation: null }, undefined],
])('%j', (session, name) => {
  expect(sessionName(session)).toBe(name);
});
