import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runningTitles } from './running-titles.ts';

const root = join(import.meta.dirname, '..');

/**
 * Whether there is a test of that name that runs and can fail: `path: name`, with the name as it stands in the
 * file. A golden note is named by its folder, a measurement by its name in a benchmark.
 */
export function testExists(reference: string): boolean {
  const [path = '', name = ''] = reference.split(/: (.*)/s);
  if (name === '' || !existsSync(join(root, path))) return false;
  if (path === 'test/golden/golden.test.ts') {
    const folder = join(root, 'test/golden/cases', name);
    return existsSync(join(folder, 'before.md')) || existsSync(join(folder, 'before'));
  }
  const source = readFileSync(join(root, path), 'utf8');
  return path.endsWith('.bench.ts') ? source.includes(name) : titlesOf(path, source).has(name);
}

const titles = new Map<string, ReadonlySet<string>>();

function titlesOf(path: string, source: string): ReadonlySet<string> {
  const known = titles.get(path) ?? runningTitles(source);
  titles.set(path, known);
  return known;
}
