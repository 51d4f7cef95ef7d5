import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinCommand, splitCommand } from './command-line.ts';

test.each<[string, readonly string[]]>([
  ['npx -y some-server', ['npx', '-y', 'some-server']],
  ['  a \t b ', ['a', 'b']],
  [`"two words" 'it "is"' x"y z"`, ['two words', 'it "is"', 'xy z']],
  [`a "" ''`, ['a', '', '']],
  ['C:\\Tools\\x.exe \\"q\\"', ['C:\\Tools\\x.exe', '"q"']],
  ['a\\ b', ['a b']],
  ['', []],
])('splits %j', (line, words) => {
  expect(splitCommand(line)).toEqual(words);
});

test('a quote that is not closed leaves no words', () => {
  expect(splitCommand('a "b')).toBeUndefined();
});

test('reads back the words that it joined to a line', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (words) => {
      expect(splitCommand(joinCommand(words))).toEqual(words);
    }),
    { seed: 1 },
  );
});
