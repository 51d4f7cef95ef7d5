import { expect, test } from 'vitest';
import { withoutOutputs } from './without-outputs.ts';

test.each<[string, string]>([
  ['date > ./stamp.json', 'date  '],
  ['a >> ./log.json 2>./errors.json; b', 'a    ; b'],
  ['date "+%F" >./stamp.json', 'date "+%F"  '],
  ['a > ./x.sh; sh ./x.sh', 'a  ; sh ./x.sh'],
  ['a > /dev/null 2>&1', 'a   2>&1'],
  // These redirect nothing, or to a file that only the shell knows.
  ['env ">" ./x.sh', 'env ">" ./x.sh'],
  ["env '>' ./x.sh", "env '>' ./x.sh"],
  [String.raw`env \> ./x.sh`, String.raw`env \> ./x.sh`],
  ['a > $FILE', 'a > $FILE'],
  ['a > ./x$N', 'a > ./x$N'],
  ['a > ./"x".sh', 'a > ./"x".sh'],
  ['a > >(./x.sh)', 'a > >(./x.sh)'],
  ['sh <<E\n> ./x.sh\nE', 'sh <<E\n> ./x.sh\nE'],
  ['sh ./x.sh < ./y.json', 'sh ./x.sh < ./y.json'],
])('%j of a shell names %j', (line, expected) => {
  expect(withoutOutputs('/bin/sh', ['-ec', line])).toEqual(['-ec', expected]);
});

test.each<[string, string[], string[]]>([
  [
    'node',
    ['./make.js', '--output', './out.json', './in.json'],
    ['./make.js', '--output', './in.json'],
  ],
  ['node', ['./make.js', '--output=./out.json'], ['./make.js']],
  ['node', ['./make.js', '>', './x.js'], ['./make.js', '>', './x.js']],
  ['sh', ['./make.sh', '> ./x.sh'], ['./make.sh', '> ./x.sh']],
])('%s %j names %j', (command, args, expected) => {
  expect(withoutOutputs(command, args)).toEqual(expected);
});
