import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Whether there is a test of that name: `path: name`, with the name as it stands in the file. */
export function testExists(reference: string): boolean {
  const [path = '', name = ''] = reference.split(/: (.*)/s);
  if (!existsSync(join(root, path))) return false;
  return titlesIn(readFileSync(join(root, path), 'utf8')).has(name);
}

/** The first string of every `test(…)` and `test.each(…)(…)` in a file. */
function titlesIn(source: string): Set<string> {
  const call = /\btest(?:\.\w+)*(?:<[^(]*?>)?(?:\([^;]*?\))?\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs;
  return new Set(
    [...source.matchAll(call)].map(([, , title = '']) => title.replace(/\\(.)/g, '$1')),
  );
}
