import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../../manifest.json' with { type: 'json' };

const types = readFileSync(
  join(createRequire(import.meta.url).resolve('obsidian/package.json'), '../obsidian.d.ts'),
  'utf8',
);

/** What the plugin imports to use, types left out. */
function importedNames(): readonly string[] {
  const sources = globSync('**/*.ts', { cwd: import.meta.dirname });
  const names = sources
    .filter((name) => !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
    .flatMap((text) => [...text.matchAll(/import \{([^}]*)\} from 'obsidian'/g)])
    .flatMap(([, list = '']) => list.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '));
  return [...new Set(names)].sort();
}

/** The version of Obsidian that brought something; nothing when it has no such thing. */
function since(name: string): string | undefined {
  const at = types.search(
    new RegExp(`^export (?:(?:abstract )?class|function|const) ${name}\\b`, 'm'),
  );
  if (at === -1) return undefined;
  const [comment = ''] = types.slice(0, at).split('/**').slice(-1);
  return /@since (\S+)/.exec(comment)?.[1] ?? '0.0.0';
}

test('imports something of Obsidian', () => {
  expect(importedNames()).toContain('Plugin');
});

test.each(importedNames())('%s is there in the oldest Obsidian it runs in', (name) => {
  const version = since(name);
  expect(version).toBeDefined();
  const [needed, oldest] = [version ?? '', manifest.minAppVersion];
  expect(needed.localeCompare(oldest, 'en', { numeric: true })).toBeLessThanOrEqual(0);
});
