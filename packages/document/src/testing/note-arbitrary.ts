import fc from 'fast-check';
import { hostilePieces } from './hostile-note.ts';
import { liveArbitrary } from './live-arbitrary.ts';

/** What the first and the further lines of a block begin with in some container. */
const containers = [
  ['', ''],
  ['   ', '   '],
  ['> ', '> '],
  ['>', '>'],
  ['>\t', '>\t'],
  ['- ', '  '],
  ['- ', '\t'],
  ['-\t', '\t'],
  ['- ', '    '],
  ['10) ', '    '],
  ['- - ', '    '],
  ['> - ', '>   '],
  ['>- ', '>   '],
  ['1. > ', '   > '],
  ['- > > ', '  > > '],
  ['> [!note] x\n> ', '> '],
] as const;

const lineArbitrary = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...hostilePieces) },
  {
    weight: 1,
    arbitrary: fc
      .string({ maxLength: 12, unit: 'binary' })
      .map((line) => line.replace(/[\r\n]/g, '')),
  },
);

/** A request in some container, whose answer is to be shown and nothing more. */
export const quietRequestArbitrary: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...containers), fc.constantFrom('', ' as=markdown', ' as=callout'))
  .map(([[first, further], options]) =>
    [`${first}\`\`\`weather${options}`, `${further}tool: a`, `${further}\`\`\``].join('\n'),
  );

const requestArbitrary = fc
  .record({
    container: fc.constantFrom(...containers),
    fence: fc.constantFrom('```', '````', '~~~'),
    options: fc.constantFrom(
      ...['', '', ' as=markdown', ' as=callout', ' as=json display=inline'],
      ...[' live=yes', ' as=markdown live=yes', ' as=callout live=yes'],
    ),
    body: fc.constantFrom(
      ['tool: a'],
      ['tool: a', '', 'city: "%% $$"'],
      ['tool: a', 'x: |', '  ``'],
      [],
    ),
    id: fc.option(fc.constantFrom('^w1', '^x-2')),
  })
  .map(({ container: [first, further], fence, options, body, id }) =>
    [
      `${first}${fence}weather${options}`,
      ...[...body, fence, ...(id === null ? [] : [id])].map((line) => further + line),
    ].join('\n'),
  );

/** Notes with requests in all kinds of containers between hostile lines. */
export const noteArbitrary: fc.Arbitrary<string> = fc
  .record({
    start: fc.constantFrom('', '', '\uFEFF', '---\na: b\n---\n', 'text\n\n'),
    parts: fc.array(
      fc.oneof(
        { weight: 3, arbitrary: lineArbitrary },
        { weight: 2, arbitrary: requestArbitrary },
        {
          weight: 2,
          arbitrary: fc.constant(''),
        },
      ),
      { maxLength: 12 },
    ),
    lineEnd: fc.constantFrom('\n', '\n', '\n', '\r\n', '\r'),
    hasFinalLineEnd: fc.boolean(),
  })
  .map(({ start, parts, lineEnd, hasFinalLineEnd }) =>
    (start + parts.join('\n') + (hasFinalLineEnd ? '\n' : '')).replaceAll('\n', lineEnd),
  );

/** Answers of tools, from plain to hostile. */
export const payloadArbitrary: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .array(fc.oneof(lineArbitrary, requestArbitrary), { maxLength: 8 })
    .map((lines) => lines.join('\n')),
  liveArbitrary,
);
