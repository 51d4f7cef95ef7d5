import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../manifest.json' with { type: 'json' };

const read = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, '..', name), 'utf8')) as Record<
    string,
    unknown
  >;

test('names a version of Obsidian for its own version', () => {
  expect(read('versions.json')[manifest.version]).toBe(manifest.minAppVersion);
  expect(read('package.json').version).toBe(manifest.version);
});

test('follows the rules for plugins that are listed', () => {
  expect(manifest.id).toMatch(/^(?!.*obsidian)(?!.*plugin$)[a-z-]+$/);
  expect(manifest.name).not.toMatch(/obsidian|plugin/i);
  expect(manifest.description).not.toMatch(/obsidian|this plugin/i);
  expect(manifest.version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(manifest.description).toMatch(/^.{1,249}\.$/);
  expect(manifest.isDesktopOnly).toBe(true);
});
