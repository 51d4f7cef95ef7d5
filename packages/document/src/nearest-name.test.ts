import { expect, test } from 'vitest';
import { nearestName } from './nearest-name.ts';

test.each([
  ['get_forcast', ['get_forecast', 'get_city'], 'get_forecast'],
  ['getForecast', ['get_forecast'], 'get_forecast'],
  ['list-notes', ['list_notes', 'list_note'], 'list_notes'],
  ['raed_file', ['read_file', 'write_file'], 'read_file'],
  ['read_flie_txt', ['read_file_text'], 'read_file_text'],
  ['pth', ['path', 'q'], 'path'],
  ['weathr', ['weather'], 'weather'],
  ['q', ['p', 'query'], undefined],
  ['js', ['ts'], undefined],
  ['remove', ['read', 'write'], undefined],
  ['anything', [], undefined],
])('%j among %j means %j', (name, known, nearest) => {
  expect(nearestName(name, known)).toBe(nearest);
});

test('compares long names quickly', () => {
  const known = Array.from({ length: 500 }, (_, index) => `${'x'.repeat(100_000)}${index}`);
  expect(nearestName('y'.repeat(100_000), known)).toBeUndefined();
});
