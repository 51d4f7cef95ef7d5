import { scan } from '@errand/document';
import { localServer } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { mayBeBound, sectionBadges } from './section-badges.ts';

const heading = (documentPath?: string) => ({
  sectionType: 'heading' as const,
  headingText: 'Plans',
  serverId: 'db',
  inheritToChildren: true,
  ...(documentPath !== undefined && { documentPath }),
});
const servers = [
  localServer('files'),
  localServer('db', { id: 'db', sectionBindings: [heading('Projects/**')] }),
  localServer('off', { enabled: false }),
];

function badges(properties: string, body: string) {
  const text = properties === '' ? body : `---\nmcp: ${properties}\n---\n${body}`;
  const context = { servers, brokenBindings: [], documentPath: 'Projects/Garden.md' };
  return sectionBadges(scan(text), context).map(
    ({ line, text: said, isBroken }) => `${line}${isBroken ? '!' : ''} ${said}`,
  );
}

test.each([
  ['', '# A\n', []],
  ['{server: files}', 'Text\n', ["4 files · from this note's properties"]],
  ['{server: files}', '# A\n', ["4 files · for the whole note, from this note's properties"]],
  [
    '{sections: [{heading: A, server: files}]}',
    '# A\n## B\n# C\n',
    ["4 files · from this note's properties", '5 files · inherited from # A'],
  ],
  [
    '{sections: [{heading: A, server: files, inherit: false}]}',
    '# A\n## B\n',
    ["4 files · from this note's properties"],
  ],
  ['', '# Plans\n', ['1 db · from settings for Projects/**']],
  [
    '{sections: [{heading: A, server: off}]}',
    '# A\n',
    ["4! off is disabled · from this note's properties"],
  ],
  [
    '{sections: [{heading: A, server: gone}]}',
    '# A\n',
    ['4! No server · Frontmatter line 2: There is no server "gone". Registered: files, db, off.'],
  ],
  [
    '{sections: [{block: own, server: files}]}',
    'Text\n^own\n',
    ["5 ^own: files · from this note's properties"],
  ],
  [
    '{sections: [{lines: [5, 6], server: files}]}',
    'a\nb\nc\n',
    ["5 Lines 5 to 6: files · from this note's properties"],
  ],
])('of %s in %j says %j', (properties, body, said) => {
  expect(badges(properties, body)).toEqual(said);
});

test('shows a mistake that forbids nothing at the start of the note', () => {
  const properties = '{server: files, sections: [{heading: Gone, server: db}]}';
  expect(badges(properties, '# A\n')).toEqual([
    expect.stringContaining('4! Frontmatter line 2: No heading "Gone" in this note.'),
    "4 files · for the whole note, from this note's properties",
  ]);
});

test('reports a missing section once, at the part it forbids', () => {
  const said = badges('{sections: [{heading: Gone, server: db}]}', '# A\n');
  expect(said).toEqual([expect.stringContaining('4! No server · Frontmatter line 2: No heading')]);
});

test('skips notes without bindings', () => {
  const free = { servers: [localServer('files')], brokenBindings: [] };
  expect(mayBeBound('# A\n', free)).toBe(false);
  expect(mayBeBound('---\ntags: [a]\n---\n', free)).toBe(false);
  expect(mayBeBound('---\nmcp: {}\n---\n', free)).toBe(true);
  expect(mayBeBound('\n--\nmcp: {}\n---\n', free)).toBe(true);
  expect(mayBeBound('# A\n', { servers, brokenBindings: [] })).toBe(true);
  const broken = { message: '', server: null, target: null, documentPath: null };
  expect(mayBeBound('# A\n', { ...free, brokenBindings: [broken] })).toBe(true);
});
