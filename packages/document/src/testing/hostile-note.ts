import type { Random } from './random.ts';

/** Pieces of lines that Markdown readers get wrong. */
export const hostilePieces: readonly string[] = [
  ...[
    '',
    '',
    '',
    ' ',
    '\t',
    'text',
    'more text',
    'a\u2028b',
    '\0',
    '\ud800',
    '\\',
    '&lt;',
    '\f',
    '\v',
  ],
  ...['```', '````', '~~~', '~~~~', '``', '```js', '``` a`b', '~~~ x`y', '```\u2028`', '``` `'],
  ...['  ```', '   ```', '    ```', '\t```', ' ~~~', '```weather', '```mcp-result', '``` x'],
  ...['- ```', '> ```', '>```', '> - ```', '1. ```', '- - ```', '- > ```', '10) ```', '-\t```'],
  ...['# h', '#', '## h ##', '### h ### b', '####### x', '#\th', '   # h', '    # h', '#h', '# #'],
  ...[
    '===',
    '---',
    '=',
    '--',
    '- - -',
    '***',
    '* * *',
    '___',
    '_ _ _',
    '--- -',
    '  ---',
    '    ===',
  ],
  ...[
    '-',
    '*',
    '+',
    '1.',
    '2.',
    '1)',
    '- a',
    '* b',
    '+ c',
    '01. z',
    '1234567890. x',
    '123456789. x',
  ],
  ...['-\t\tx', '-     x', '-  x', '- \f', '- \t', '*\t', '1.\t', '  - a', '   - b', '     - c'],
  ...['  b', '    c', '      d', '        e', '\tx', '  \ty', '\t\tz', ' \t'],
  ...[
    '>',
    '> a',
    '> > b',
    '>> c',
    '> - d',
    '> # q',
    '>\tx',
    '>\t\tx',
    '   > x',
    '    > x',
    '>     y',
  ],
  ...['- # h', '- ---', '- > x', '1. - a', '- [!mcp] x', '> [!note] y'],
  ...[
    '<div>',
    '</div>',
    '<!-- x',
    '-->',
    '<!-- y -->',
    '<!---->',
    '<!-->',
    '<script>',
    '</script>',
  ],
  ...[
    '<?php',
    '?>',
    '<!X',
    '>',
    '<![CDATA[',
    ']]>',
    '<a href="x">',
    '<b>',
    '</b >',
    '<pre',
    '<PRE>',
  ],
  ...['<x y=z\u00a0w="q">', '<a b=\0>', '<details>', '<p/>', '<p /', '<h7>', '<x\n>', '<style'],
  ...[
    '[a]: /x',
    '[a]: /x "t"',
    '[b]: <y',
    '[b]: <y>',
    '[a]:',
    '/x',
    '"title',
    'title"',
    '[a',
    'b]: /z',
  ],
  ...[
    "[c]: /x 'q' z",
    '[]: /x',
    '[\u00a0]: x',
    '[\\]]: x',
    '[a]: (',
    '[a]: )',
    '[a]: x (t',
    ')',
    '[d]:\t/x',
  ],
  ...['text ^id', '^id', '- ^x', '^', '%%', '%% a %%', '%%x', '$$', '$$ x $$', '- %%', '> $$'],
  ...[
    '<!-- mcp-result req=1 sum=2 -->',
    '<!-- /mcp-result -->',
    '> [!mcp]- a: b <!-- mcp-result req=1 -->',
  ],
];

const prefixes = ['  ', '    ', '> ', '>', '- ', '\t', '  > ', '1. ', '   ', '>  '];
const characters = '`~#=-*+_>< \t\n\n\n[]:/"\'()!?.^%$&;\\x1a\r\0|';

/** A short note made of such pieces, or of what one part of the reader must get right. */
export function hostileNote(random: Random): string {
  const starts = ['x\n\n', '\uFEFF', '---\na: b\n---\n', '---\n', '- a\n\n'];
  const start = random.oneIn(3) ? '' : random.pick(starts);
  const text = start + random.pick(makers)(random);
  return random.oneIn(3) ? text.replace(/[\r\n]+$/, '') : text;
}

const makers = [
  hostileLines,
  hostileLines,
  hostileLines,
  hostileLines,
  characterSoup,
  tagSoup,
  referenceSoup,
];

function hostileLines(random: Random): string {
  let text = '';
  for (let left = 1 + random.below(random.oneIn(10) ? 40 : 10); left > 0; left--) {
    for (let prefix = random.oneIn(4) ? 1 + random.below(3) : 0; prefix > 0; prefix--) {
      text += random.pick(prefixes);
    }
    for (let piece = random.oneIn(6) ? 2 : 1; piece > 0; piece--)
      text += random.pick(hostilePieces);
    text += random.oneIn(10) ? random.pick(['\r\n', '\r', '\n\n']) : '\n';
  }
  return text;
}

function characterSoup(random: Random): string {
  let text = '';
  for (let left = random.below(60); left > 0; left--) {
    const character = characters[random.below(characters.length)] ?? '';
    text += random.oneIn(4) ? character.repeat(1 + random.below(4)) : character;
  }
  return text;
}

/** A line that may be a complete tag, which decides whether what follows is a fence. */
function tagSoup(random: Random): string {
  const parts = [
    'a',
    'b',
    'X-1',
    ' ',
    ' ',
    '\t',
    '=',
    '"',
    "'",
    '/',
    '>',
    '<',
    '`',
    '\u00a0',
    ':',
    '_',
    '\0',
    '&',
  ];
  let tag = random.pick(['<a', '</a', '<a b', '<x', '<del', '<a b=c']);
  for (let left = random.below(12); left > 0; left--) tag += random.pick(parts);
  return `${tag}${random.pick(['', '>', '/>', ' >', '> ', '>\u00a0', '> x'])}\n\`\`\`\n${random.pick(['', 'x\n# h\n'])}`;
}

/** Lines that may be link reference definitions, which decides whether an underline makes a heading. */
function referenceSoup(random: Random): string {
  const parts = [
    '[',
    ']',
    ':',
    ' ',
    '\n',
    '/x',
    '<',
    '>',
    '"',
    "'",
    '(',
    ')',
    '\\',
    'a',
    '[a]: /x',
    '\t',
    '\u00a0',
    '*',
  ];
  let text = random.pick(['[a]: ', '[a]:', '[', '[b]: <', '- [a]: ', '> [a]: ']);
  for (let left = random.below(14); left > 0; left--) text += random.pick(parts);
  return `${text}\n${random.pick(['===', '---', '> ===', '  ===', 'b\n==='])}\n${random.pick(['', '===\n', '# h\n'])}`;
}
