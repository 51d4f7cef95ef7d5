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
      'Settings of weather binds it to weather and settings of db to db. Remove one of the two.',
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

const heading = (text: string) => ({ kind: 'heading', text }) as const;

/** A context in which a binding of the settings is broken. */
function broken(binding: Partial<NoteContext['brokenBindings'][number]>): NoteContext {
  const known = { message: 'Mend it.', server: 'db', target: null, documentPath: null };
  return { ...contextOf(['weather']), brokenBindings: [{ ...known, ...binding }] };
}

test('forbids the section of an unusable binding, or the note when the section is unknown', () => {
  const kinds = (context: NoteContext) => {
    const { decide, problems } = resolve('# A\n# B\n', context);
    return [decide(1).kind, decide(2).kind, ...problems.map(({ message }) => message)];
  };
  const why = 'Settings of db: Mend it.';
  expect(kinds(broken({ target: heading('A') }))).toEqual(['refused', 'unbound', why]);
  expect(kinds(broken({}))).toEqual(['refused', 'refused', why]);
  expect(kinds(broken({ server: null }))).toContain('Settings: Mend it.');
  expect(kinds(broken({ documentPath: 'Trip' }))).toEqual(['refused', 'refused', why]);
  expect(kinds(broken({ documentPath: 'Other' }))).toEqual(['unbound', 'unbound']);
});

test('reports a missing heading of many notes only where a similar one exists', () => {
  const bound = (headingText: string, documentPath?: string) =>
    contextOf(['weather', 'db'], {
      db: [{ headingText, ...(documentPath !== undefined && { documentPath }) }],
    });
  expect(resolve('# A1\n', bound('Gone')).problems).toEqual([]);
  for (const path of [undefined, '*.md', '/']) {
    const { decide, problems } = resolve('# Weather\n', bound('Wether', path));
    expect(decide(1)).toEqual({ kind: 'unbound' });
    expect(problems).toEqual([
      {
        line: null,
        message:
          'Settings of db: No heading "Wether" in this note; this binding is ignored here. Did you mean "# Weather"?',
      },
    ]);
  }
  const { decide, problems } = resolve('# Weather\n', bound('Gone', './trip'));
  expect(decide(1)).toEqual({ kind: 'refused', message: problems[0]?.message });
});

test('bindings of the path that a link leads to hold as well, and two that differ refuse', () => {
  const known = contextOf(['weather', 'db'], {
    db: [{ headingText: 'A', documentPath: 'P/**' }],
    weather: [{ sectionType: 'range', startLine: 1, endLine: 9, documentPath: 'Both.md' }],
  });
  const at = (documentPath: string, realPath: string) =>
    resolve('# A\n\nx\n', { ...known, documentPath, realPath }).decide(3);
  expect(at('Alias.md', 'P/B.md')).toMatchObject({ kind: 'bound', server: 'db' });
  expect(at('P/B.md', 'Elsewhere.md')).toMatchObject({ kind: 'bound', server: 'db' });
  expect(at('P/B.md', 'P/B.md')).toMatchObject({ kind: 'bound', server: 'db' });
  expect(at('Both.md', 'P/B.md').kind).toBe('refused');
  expect(at('Alias.md', 'Elsewhere.md').kind).toBe('unbound');
});
