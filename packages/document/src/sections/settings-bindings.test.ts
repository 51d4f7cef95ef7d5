import { expect, test } from 'vitest';
import type { NoteContext } from '../note-context.ts';
import { scan } from '../scan/scan.ts';
import { contextOf } from '../testing/note-context.ts';
import { resolveSections } from './resolve-sections.ts';

function resolve(text: string, context: NoteContext) {
  return resolveSections(scan(text), context);
}

function explained(text: string, context: NoteContext) {
  return resolve(text, context).sections.map(({ explanation }) => explanation);
}

test('settings bind where the frontmatter does not', () => {
  const known = contextOf(['weather', 'db'], {
    weather: [{ headingText: 'Weather' }, { sectionType: 'block', blockId: '^b' }],
    db: [
      { sectionType: 'range', startLine: 1, endLine: 2, documentPath: 'Trip.md' },
      { headingText: 'Elsewhere', documentPath: 'Other/*.md' },
    ],
  });
  expect(resolve('# Weather\n\nx ^b\n# Elsewhere\n', known).problems).toEqual([]);
  expect(explained('# Weather\n\nx ^b\n# Elsewhere\n', known)).toEqual([
    'note -> any server (no binding)',
    '# Weather -> db (settings of db)',
    '# Elsewhere -> any server (no binding)',
    '^b -> weather (settings of weather)',
    'lines 1 to 2 -> db (settings of db)',
  ]);
  expect(explained('---\nmcp:\n  server: db\n---\n# Weather\n', known)[1]).toBe(
    '# Weather -> db (frontmatter line 3)',
  );
});

test('servers that bind the same section refuse it', () => {
  const binding = [{ headingText: 'A' }];
  const known = contextOf(['weather', 'db'], { weather: binding, db: binding });
  expect(resolve('# A\n', known).decide(1)).toMatchObject({
    kind: 'refused',
    message:
      'settings of weather binds it to weather and settings of db to db. Remove one of the two.',
  });
});

test.each([
  [{ headingText: 'A', blockId: 'b' }, /exactly one of headingText/],
  [{}, /exactly one of headingText/],
  [{ sectionType: 'block', headingText: 'A' } as const, /type "block" lacks its text/],
  [{ sectionType: 'range', startLine: 1, endLine: 2 } as const, /needs documentPath/],
  [
    { sectionType: 'range', startLine: 2, endLine: 2, documentPath: '**' } as const,
    /startLine before endLine/,
  ],
  [{ headingText: 'A', serverId: 'other' }, /serverId "other" instead of/],
])('a broken binding in the settings refuses: %j', (binding, message) => {
  const { decide, problems } = resolve('# A\n', contextOf(['db'], { db: [binding] }));
  expect(decide(1).kind).toBe('refused');
  expect(problems).toEqual([{ line: null, message: expect.stringMatching(message) }]);
});
