import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testExists } from './test-exists.ts';

const page = readFileSync(join(import.meta.dirname, '../docs/threat-model.md'), 'utf8');
const attacks = [...page.matchAll(/^\| (.+?) \| .+ \| `([^`]+\.test\.ts: .+)` \|$/gm)];

test('the threat model has a test for each attack', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| ')).length;
  const headings = page.split('\n').filter((line) => /^\| (who|attack) \|/.test(line)).length;
  const trusted = page
    .split('## Attacks')[0]
    ?.split('\n')
    .filter((line) => /^\| (?!who)/.test(line));
  expect(attacks).toHaveLength(rows - headings - (trusted?.length ?? 0));
});

test.each(attacks.map(([, attack, name]) => [attack, name]))('%s: its test exists', (_, name) => {
  expect(testExists(name ?? '')).toBe(true);
});
