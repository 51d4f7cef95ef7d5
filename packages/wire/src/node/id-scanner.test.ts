import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IdScanner } from './id-scanner.ts';

const id = fc.oneof(fc.string({ maxLength: 30 }), fc.maxSafeInteger());

test('finds what a parser finds, for any message and wherever its id stands', () => {
  const members = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(members, id, members, fc.nat(4), (before, value, after, spaces) => {
      const message = JSON.stringify({ ...before, id: value, ...after }, undefined, spaces);
      const expected: unknown = JSON.parse(message).id;
      expect(find(message)).toBe(isId(expected) ? expected : undefined);
    }),
    { seed: 1 },
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
  ['{"id":5,"id":6}', 6],
  ['{"id":5}{"id":6}', 5],
  ['\ufeff {"id":5}', 5],
  [`{"id":"${'x'.repeat(1_024)}"}`, 'x'.repeat(1_024)],
  [`{"id":"${'x'.repeat(1_025)}"}`, undefined],
  ['log line {"id":5}', undefined],
  ['"{\\"id\\":5}"', undefined],
  ['not json', undefined],
  ['', undefined],
])('finds in %s the id %j', (message, expected) => {
  expect(find(message)).toBe(expected);
});

test('finds the same however the bytes are cut', () => {
  const text = '{"params":{"id":1,"text":"a\\\\\\"b\\n ü"},"id":"c\\"d","method":"x"}';
  const bytes = Buffer.from(text);
  for (let at = 0; at <= bytes.length; at += 1) {
    const { id: found, hasMethod } = scan([bytes.subarray(0, at), bytes.subarray(at)]);
    expect({ found, hasMethod }).toEqual({ found: 'c"d', hasMethod: true });
  }
});

test('distinguishes requests from responses', () => {
  expect(scan([Buffer.from('{"id":1,"result":{"method":"x"}}')]).hasMethod).toBe(false);
  expect(scan([Buffer.from('{"id":1,"params":{},"method":"x"}')]).hasMethod).toBe(true);
});

function find(message: string) {
  return scan([Buffer.from(message)]).id;
}

function scan(chunks: readonly Buffer[]): IdScanner {
  const scanner = new IdScanner();
  for (const chunk of chunks) scanner.scan(chunk);
  return scanner;
}

function isId(value: unknown): boolean {
  return typeof value === 'string' || Number.isSafeInteger(value);
}
