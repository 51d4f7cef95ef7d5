import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TopLevelId } from './top-level-id.ts';

const id = fc.oneof(fc.string({ maxLength: 30 }), fc.maxSafeInteger());

test('finds what a parser finds, for any message and wherever its id stands', () => {
  const members = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(members, id, members, fc.nat(4), (before, value, after, spaces) => {
      const message = JSON.stringify({ ...before, id: value, ...after }, undefined, spaces);
      const expected: unknown = JSON.parse(message).id;
      expect(find(message)).toBe(isId(expected) ? expected : undefined);
    }),
  );
});

test.each([
  ['{"params":{"id":5}}', undefined],
  ['{"params":{"id":5},"id":6}', 6],
  ['[{"id":5}]', undefined],
  ['{"text":"\\"id\\":5,","id":"a\\"b"}', 'a"b'],
  ['{"id":null}', undefined],
  ['{"id":1.5}', undefined],
  ['{"id":[1]}', undefined],
  ['not json', undefined],
  ['', undefined],
])('finds in %s the id %j', (message, expected) => {
  expect(find(message)).toBe(expected);
});

function find(message: string) {
  const scanner = new TopLevelId();
  scanner.scan(Buffer.from(message));
  return scanner.found;
}

function isId(value: unknown): boolean {
  return typeof value === 'string' || Number.isSafeInteger(value);
}
