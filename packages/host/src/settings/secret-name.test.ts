import { expect, test } from 'vitest';
import { suggestSecretName } from './secret-name.ts';

test('suggests a name that Obsidian takes and nobody has', () => {
  expect(suggestSecretName('notes-API_KEY', [])).toBe('notes-api-key');
  expect(suggestSecretName('notes-API_KEY', ['notes-api-key'])).toBe('notes-api-key-2');
  expect(suggestSecretName('_', [])).toBe('secret');
});
