import { expect, test } from 'vitest';
import { defineServer } from './define-server.ts';

test.each(['1.0.0', '0.2.0-alpha.12', '1.2.3+build'])('accepts the version %s', (version) => {
  expect(defineServer({ name: 'notes', version }).version).toBe(version);
});

test.each(['1', '1.0', 'v1.0.0', '2025-11-25', ''])('refuses the version "%s"', (version) => {
  const message = `"${version}" is no version of notes. Use three numbers such as 1.0.0.`;
  expect(() => defineServer({ name: 'notes', version })).toThrow(message);
});

test('refuses a server without a name', () => {
  expect(() => defineServer({ name: ' ', version: '1.0.0' })).toThrow('A server needs a name.');
});
