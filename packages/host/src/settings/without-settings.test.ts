import { expect, test } from 'vitest';
import { holdsSettings, withoutSettings } from './without-settings.ts';

test('finds settings in a text, but not in one that only could hold them', () => {
  expect(holdsSettings('{ "mcpServers": [{}] }', 'a.json')).toBe(true);
  expect(holdsSettings('{ "logDays": 3 }', 'a.json')).toBe(true);
  expect(holdsSettings('{ "version": 1, "mcpServers": [], "isFolded": true }', 'a.json')).toBe(
    false,
  );
  expect(holdsSettings('{}', 'a.json')).toBe(false);
});

test('takes a text that cannot be read for settings', () => {
  expect(holdsSettings('{ "mcpServers": [', 'a.json')).toBe(true);
  expect(holdsSettings('', 'a.json')).toBe(true);
  expect(withoutSettings('{ "mcpServers": [', 'a.json')).toBeUndefined();
});

test('leaves everything else as it is written', () => {
  const text =
    '{\n  "isFolded": true,\n  "mcpServers": [],\n  "logDays": 3,\n  "view": {"a":1}\n}\n';
  expect(withoutSettings(text, 'a.json')).toBe('{\n  "isFolded": true,\n  "view": {"a":1}\n}\n');
  expect(withoutSettings('{ "version": 1, "mcpServers": [] }', 'a.json')).toBeUndefined();
});
