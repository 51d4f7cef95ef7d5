import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Document, parseDocument } from 'yaml';
import { parseYaml } from './parse-yaml.ts';

const key = fc.constantFrom('a', 'b', '"a"', '1', '"1"', 'null', 'ä', '? [x]\n');
const value = fc.constantFrom('1', '', '[a, a]', '{a: 1, a: 2}', '\n  a: 1\n  a: 2', '- a', '*x');
const pairs = fc.array(fc.tuple(key, value).map(([name, text]) => `${name}: ${text}`));

function told({ errors }: Document.Parsed): readonly string[] {
  return errors.map(({ code, message }) => `${code} ${message}`).toSorted();
}

test.each([false, true])(
  'finds the errors that the library finds (text keys: %s)',
  (stringKeys) => {
    fc.assert(
      fc.property(pairs, (lines) => {
        const text = lines.join('\n');
        const expected = parseDocument(text, { prettyErrors: false, stringKeys });
        expect(told(parseYaml(text, { stringKeys }).document)).toEqual(told(expected));
      }),
      { numRuns: 2_000 },
    );
  },
);

test('says where the second of two keys is', () => {
  const { document, lines } = parseYaml('a:\nb: {c: 1}\na: 2');
  const [error] = document.errors;
  expect(error).toMatchObject({ code: 'DUPLICATE_KEY' });
  expect(lines.linePos(error?.pos[0] ?? 0)).toEqual({ line: 3, col: 1 });
});

test('reads 300,000 keys', () => {
  const text = Array.from({ length: 300_000 }, (_, at) => `k${at}: 1\n`).join('');
  expect(parseYaml(`${text}k7: 2`).document.errors).toMatchObject([{ code: 'DUPLICATE_KEY' }]);
});
