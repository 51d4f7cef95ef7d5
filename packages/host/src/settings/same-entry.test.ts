import { expect, test } from 'vitest';
import { exampleServer } from '../testing/example-server.ts';
import { sameEntry } from './same-entry.ts';

test('overlooks what the host writes', () => {
  const later = { ...exampleServer, failureCount: 2, autoDisabled: true, lastConnectedAt: 9 };
  expect(sameEntry(exampleServer, later)).toBe(true);
});

test('overlooks the order of keys', () => {
  const reversed = Object.fromEntries(Object.entries(exampleServer).reverse());
  expect(sameEntry(exampleServer, { ...exampleServer, ...reversed })).toBe(true);
});

test.each([
  { enabled: false },
  { name: 'other' },
  { localConfig: { command: 'errand-vault', args: ['.', '--vault'] } },
  { timeout: 5000 },
])('sees %j', (change) => {
  expect(sameEntry(exampleServer, { ...exampleServer, ...change })).toBe(false);
});
