import { expect, test } from 'vitest';
import { suggestSecretName } from './secret-name.ts';

test('suggests a name that Obsidian takes and nobody has', () => {
  expect(suggestSecretName('notes-API_KEY', [])).toBe('notes-api-key');
  expect(suggestSecretName('notes-API_KEY', ['notes-api-key'])).toBe('notes-api-key-2');
  expect(suggestSecretName('_', [])).toBe('secret');
  const long = 'x'.repeat(200);
  const name = suggestSecretName(long, [suggestSecretName(long, [])]);
  expect(name).toMatch(/^x{50,}-2$/);
  expect(name.length).toBeLessThanOrEqual(64);
});
