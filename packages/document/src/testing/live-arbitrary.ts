import fc from 'fast-check';
import { hostilePieces } from './hostile-note.ts';

/** What some program would load, run or open if it stood in a note as it is. */
const livePieces = [
  ...['![a](http://far.example/x.png)', '![](//far.example/x)', '![a][r]', '![[Note]]', '!', '!!['],
  ...[
    '[![a](http://far.example)](http://b.example)',
    '![a\nb](<http://far.example/x y>)',
    '[a',
    '](',
  ],
  ...[
    '[r]: http://far.example',
    '[^1]: x',
    '[r\ns]: /x',
    '[`r`]: /x',
    '[r]:',
    'http://far.example',
  ],
  ...[
    '[a](javascript:x)',
    '[a](JAVA&#115;cript:x)',
    '[a](javascript&colon;x)',
    '[a](< javascript:x>)',
  ],
  ...[
    '[a](obsidian://x)',
    '[a](\nfile:///x)',
    '[a](<data:x>)',
    '[a](Note.md)',
    '[a](https://b.example)',
  ],
  ...[
    'obsidian://open',
    '<obsidian://open>',
    '<https://b.example/?a=1&b=2>',
    '<a@b.example>',
    '](',
    ')',
  ],
  ...[
    '<img src=x>',
    '<img\nsrc=x>',
    '</p>',
    '<br>',
    '<br/>',
    '<!-- x -->',
    '<?x?>',
    '<!X>',
    '<',
    '>',
  ],
  ...[
    '`= this.x`',
    '`$= x`',
    '`` = x ``',
    '`\n= x`',
    '`',
    '``',
    '=',
    '$=',
    '= x',
    '    = x',
    '\\',
    '\\`',
  ],
  ...[
    '<%+ x %>',
    '<% x %>',
    '&lt;%+ x %>',
    '&#60;&#37;',
    '<\\%',
    '&#x202e;',
    '&rlm;',
    '%%',
    '%',
    '&',
    ';',
  ],
  ...[
    '`<img src=x>`',
    '| ` <img src=x> | ` |',
    '|---|---|',
    '| a | b |',
    '|',
    '$`$<b>`',
    '$',
    '[[`]]<b>`',
  ],
  ...[
    '```dataviewjs',
    '```dataview',
    '```data&#118;iewjs',
    '~~~tasks',
    '```mcp',
    '```js run',
    '```js',
    '```',
  ],
  ...[
    'owner:: me',
    '[owner:: me]',
    '(a',
    '::',
    ':',
    '[x] ',
    '**k**::',
    '](<https://b.example/c::d>)',
    '$\\renewcommand{\\sum}{0}$',
  ],
  ...[
    '```\n= x\n```',
    '```js\n\n$= x\n```',
    '```mermaid\nA --> B\n```',
    'a ^id',
    '^id',
    '\\^id',
    'a * **b',
  ],
] as const;

const starts = [
  '',
  '',
  '',
  '> ',
  '- ',
  '  ',
  '    ',
  '\t',
  '> - ',
  '1. > ',
  '> [!note] ',
  '>',
  '# ',
];

const line = fc
  .tuple(
    fc.constantFrom(...starts),
    fc.array(
      fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom<string>(...livePieces) },
        { weight: 2, arbitrary: fc.constantFrom(...hostilePieces) },
        { weight: 1, arbitrary: fc.constantFrom(' ', ' ', 'text', '\n') },
      ),
      { maxLength: 4 },
    ),
  )
  .map(([start, pieces]) => start + pieces.join('').replaceAll('\n', `\n${start}`));

/** Answers that hold much of what must not act in a note, in all kinds of containers. */
export const liveArbitrary: fc.Arbitrary<string> = fc
  .array(line, { maxLength: 8 })
  .map((lines) => lines.join('\n'));

/** Some of them, the same for the same seed. */
export function liveTexts(seed: number, count: number): readonly string[] {
  return fc.sample(liveArbitrary, { seed, numRuns: count });
}
