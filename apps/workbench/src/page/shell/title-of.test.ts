import { expect, test } from 'vitest';
import type { WorkbenchState } from '../../contract.ts';
import { parseRoute } from '../model/route.ts';
import { titleOf } from './title-of.ts';

const state = { vault: { name: 'Home' }, servers: [{ id: 's1', name: 'weather' }] };

test.each([
  ['', 'Notes · Home · Errand'],
  ['#/notes/Projects/Garden%20plan.md', 'Garden plan · Notes · Home · Errand'],
  ['#/servers/s1', 'weather · Servers · Home · Errand'],
  ['#/servers/gone', 'Servers · Home · Errand'],
  ['#/calls/abc', 'A call · Calls · Home · Errand'],
  ['#/settings', 'Settings · Home · Errand'],
])('at %j the tab says %j', (hash, title) => {
  expect(titleOf(parseRoute(hash), state as unknown as WorkbenchState)).toBe(title);
});

test('before anything is loaded the tab names the page', () => {
  expect(titleOf(parseRoute('#/calls'), undefined)).toBe('Calls · Errand');
});
