import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffJson, editJson } from './edit-json.ts';

const key = fc.string({ maxLength: 4 }).filter((name) => name !== '__proto__');
const record = fc.dictionary(key, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 });
const indent = fc.constantFrom('', ' ', '  ', '\t');
const lineEnd = fc.constantFrom('\n', '\r\n');

test('turns any object into any other, however it is written', () => {
  fc.assert(
    fc.property(record, record, indent, lineEnd, (before, after, unit, end) => {
      const text = JSON.stringify(before, undefined, unit).replaceAll('\n', end);
      const edited = editJson(text, diffJson([], before, after));
      expect(JSON.parse(edited)).toEqual(JSON.parse(JSON.stringify(after)));
    }),
    { seed: 1, numRuns: 500 },
  );
});

test('removes and appends anywhere in a list', () => {
  const list = fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 6 });
  fc.assert(
    fc.property(
      list,
      fc.nat(),
      fc.jsonValue({ maxDepth: 2 }),
      indent,
      (values, at, value, unit) => {
        const text = JSON.stringify({ list: values }, undefined, unit);
        const index = at % (values.length + 1);
        const edited = editJson(text, [
          { path: ['list', index], value: undefined },
          { path: ['list', -1], value },
        ]);
        const kept = values.filter((_, place) => place !== index);
        expect(JSON.parse(edited)).toEqual(JSON.parse(JSON.stringify({ list: [...kept, value] })));
      },
    ),
    { seed: 1, numRuns: 500 },
  );
});

test('keeps what stands beside an edit to the letter', () => {
  const text = '{ "a":1,\n\n   "b" : [ 1,2 ],"c": {} }\n';
  expect(editJson(text, [{ path: ['a'], value: 2 }])).toBe(text.replace(':1', ':2'));
  expect(editJson(text, [{ path: ['b', -1], value: 3 }])).toBe(text.replace('1,2 ', '1,2, 3 '));
  expect(editJson(text, [{ path: ['b'], value: undefined }])).toBe('{ "a":1,"c": {} }\n');
  expect(editJson(text, [{ path: ['c', 'd'], value: true }])).toBe(
    '{ "a":1,\n\n   "b" : [ 1,2 ],"c": {\n      "d": true\n   } }\n',
  );
});
