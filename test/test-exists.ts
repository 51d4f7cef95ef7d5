import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/**
 * Whether there is a test of that name that runs: `path: name`, with the name as it stands in the file. A golden
 * note is named by its folder, a measurement by its name in a benchmark.
 */
export function testExists(reference: string): boolean {
  const [path = '', name = ''] = reference.split(/: (.*)/s);
  if (name === '' || !existsSync(join(root, path))) return false;
  if (path === 'test/golden/golden.test.ts') {
    const folder = join(root, 'test/golden/cases', name);
    return existsSync(join(folder, 'before.md')) || existsSync(join(folder, 'before'));
  }
  const source = readFileSync(join(root, path), 'utf8');
  return path.endsWith('.bench.ts') ? source.includes(name) : runningTitles(source).has(name);
}

/** The first string of every `test(…)` and `test.each(…)(…)` in a file that is neither skipped nor empty. */
export function runningTitles(source: string): ReadonlySet<string> {
  // One focused test, or a group that is left out, says nothing about which of the others run.
  if (/\b(?:test|it|describe)\.only\b|\bdescribe\.(?:skip|todo)\b/.test(source)) return new Set();
  const call = /\btest((?:\.\w+)*)(?:<[^(]*?>)?(?:\([^;]*?\))?\(\s*(['"`])((?:\\.|(?!\2).)*)\2/gs;
  const found = [...source.matchAll(call)];
  const running = found.filter(({ 0: text, 1: modifiers = '', index }, at) => {
    const rest = source.slice(index + text.length, found[at + 1]?.index);
    return !/\.(?:skip|todo|fails)\b/.test(modifiers) && !isEmpty(rest);
  });
  return new Set(running.map(([, , , title = '']) => title.replace(/\\(.)/g, '$1')));
}

/** Whether what follows a title has no function, or one that does nothing. */
function isEmpty(rest: string): boolean {
  const body = /^.*?(?:=>|\bfunction\b[^{]*(?=\{))\s*(.*)$/s.exec(rest)?.[1];
  // A function from elsewhere has its name after the title.
  if (body === undefined) return !/^\s*,\s*[\w.]+/.test(rest);
  const code = body.replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, '');
  return /^(?:\{\s*\}|undefined\b|null\b)/.test(code);
}
