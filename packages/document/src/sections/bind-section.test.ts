import { expect, test } from 'vitest';
import { applyEdits } from '../edits.ts';
import { scan } from '../scan/scan.ts';
import { contextOf } from '../testing/note-context.ts';
import { bindSection, type SectionReference } from './bind-section.ts';

const context = contextOf(['weather', 'db']);

function bind(note: string, line: number, server: string | null): string {
  return bindPart(note, { kind: 'section', line }, server);
}

function bindPart(
  note: string,
  part: SectionReference,
  server: string | null,
  inherit?: boolean,
): string {
  const wanted = server === null ? null : { server, ...(inherit !== undefined && { inherit }) };
  const bound = bindSection(scan(note), context, part, wanted);
  if (bound.kind === 'refused') return bound.message;
  return bound.kind === 'edits' ? applyEdits(note, bound.edits) : bound.kind;
}

test('creates missing frontmatter, and removes it again', () => {
  for (const start of ['', '\uFEFF']) {
    const note = `${start}# A\r\n\r\n## B\r\n`;
    const whole = `${start}---\r\nmcp:\r\n  server: db\r\n---\r\n# A\r\n\r\n## B\r\n`;
    expect(bind(`${start}\r\n# A\r\n`, 1, 'db')).toBe(
      `${whole.slice(0, whole.indexOf('#'))}\r\n# A\r\n`,
    );
    const bound = bind(note, 3, 'db');
    expect(bound).toBe(
      `${start}---\r\nmcp:\r\n  sections:\r\n    - heading: "## B"\r\n      server: db\r\n---\r\n# A\r\n\r\n## B\r\n`,
    );
    expect(bind(bound, 9, null)).toBe(note);
  }
});

const written = [
  '---',
  '# who',
  'title:   "x"  # c',
  'mcp:',
  '    sections:   # mine',
  '      # first',
  "      - heading: 'A'",
  '        server:  "weather" # sunny',
  '',
  '      - lines: [14, 20]',
  '        server: db',
  'tags: [a,b]',
  '---',
  '# A',
  '## B',
  '# C',
  '',
].join('\n');

test('changes only the server of an existing binding', () => {
  expect(bind(written, 14, 'db')).toBe(written.replace('"weather"', 'db'));
  expect(bind(written, 14, 'weather')).toBe('unchanged');
});

test('adds an entry behind the others, and moves line ranges with their text', () => {
  expect(bind(written, 15, 'db')).toBe(
    written
      .replace(
        '        server: db\n',
        '        server: db\n      - heading: "## B"\n        server: db\n',
      )
      .replace('[14, 20]', '[16, 22]'),
  );
});

test('removes one entry and keeps comments', () => {
  expect(bind(written, 14, null)).toBe(
    written
      .replace('      - heading: \'A\'\n        server:  "weather" # sunny\n', '')
      .replace('[14, 20]', '[12, 18]'),
  );
  const last = '---\nmcp:\n  sections:\n    # why\n    - heading: A\n      server: db\n---\n# A\n';
  expect(bind(last, 8, null)).toBe('---\nmcp:\n  sections:\n    # why\n---\n# A\n');
});

test('binds the whole note above the first heading, beside the sections', () => {
  const note = '---\nmcp:\n  sections:\n    - heading: A\n      server: db\na: b\n---\nx\n# A\n';
  const bound = bind(note, 8, 'weather');
  expect(bound).toBe(note.replace('a: b', '  server: weather\na: b'));
  expect(bind(bound, 9, null)).toBe(note);
  expect(bind(bound, 10, null)).toBe('---\nmcp:\n  server: weather\na: b\n---\nx\n# A\n');
});

test('works in flow style, and below keys without value', () => {
  const flow = '---\nmcp: {sections: [{heading: A, server: db}]}\n---\nx\n# A\n# B\n';
  const both = bind(flow, 6, 'weather');
  expect(both).toBe(flow.replace('}]}', '}, { heading: "# B", server: weather }]}'));
  expect(bind(both, 6, null)).toBe(flow);
  expect(bind(both, 5, null)).toBe(
    '---\nmcp: {sections: [{ heading: "# B", server: weather }]}\n---\nx\n# A\n# B\n',
  );
  expect(bind(flow, 4, 'db')).toBe(flow.replace('}]}', '}], server: db}'));
  expect(bind('---\nmcp:\n---\n# A\n', 4, 'db')).toBe(
    '---\nmcp:\n  sections:\n    - heading: "# A"\n      server: db\n---\n# A\n',
  );
  expect(bind('---\n---\nx', 3, 'db')).toBe('---\nmcp:\n  server: db\n---\nx');
});

test('names a heading so that it is found, or refuses', () => {
  expect(bind('# A\n## W\n# B\n## W\n', 4, 'db')).toContain('heading: "# B > ## W"');
  expect(bind('# A\n## W\n## W\n', 3, 'db')).toBe(
    'Another heading has the same name. Rename one of the two.',
  );
  expect(bind('# Say "hi" \\o/\n', 1, 'db')).toContain('heading: "# Say \\"hi\\" \\\\o/"');
});

test('repairs a binding to a server that does not exist', () => {
  const note = '---\nmcp:\n  sections:\n    - heading: A\n      server: gone\n---\n# A\n';
  expect(bind(note, 7, 'db')).toBe(note.replace('gone', 'db'));
  expect(bind(note, 7, null)).toBe('# A\n');
});

test('refuses edits that are ambiguous', () => {
  expect(bind('# A\n', 1, 'nobody')).toBe('There is no server "nobody". Registered: weather, db.');
  expect(bind('---\na: [\n---\n# A\n', 4, 'db')).toMatch(/^Fix the frontmatter first\. /);
  expect(bind('---\nmcp: weather\n---\n# A\n', 4, 'db')).toMatch(/^Fix the frontmatter first\. /);
  expect(bind('---\n{a: b}\n---\n# A\n', 4, 'db')).toMatch(
    /^The frontmatter is written in an unusual way/,
  );
  const twice =
    '---\nmcp: {sections: [{heading: A, server: db}, {heading: "# A", server: db}]}\n---\n# A\n';
  expect(bind(twice, 4, null)).toBe('The section has two bindings. Remove one of them by hand.');
  expect(bind('# A\n', 1, null)).toBe('unchanged');
});

test('binds a section without those below it, and changes that', () => {
  const part = { kind: 'section', line: 1 } as const;
  const only = bindPart('# A\n## B\n', part, 'db', false);
  expect(only).toBe(
    '---\nmcp:\n  sections:\n    - heading: "# A"\n      server: db\n      inherit: false\n---\n# A\n## B\n',
  );
  const heading = { kind: 'section', line: 8 } as const;
  expect(bindPart(only, heading, 'db', false)).toBe('unchanged');
  expect(bindPart(only, heading, 'weather')).toBe(only.replace('db', 'weather'));
  expect(bindPart(only, heading, 'weather', true)).toBe(
    only.replace('false', 'true').replace('db', 'weather'),
  );
  const whole = only.replace('      inherit: false\n', '');
  expect(bindPart(whole, { kind: 'section', line: 7 }, 'db', false)).toBe(only);
  const flow = '---\nmcp: {sections: [{heading: A}]}\n---\n# A\n';
  expect(bindPart(flow, { kind: 'section', line: 4 }, 'db', false)).toBe(
    flow.replace('A}', 'A, server: db, inherit: false}'),
  );
});

test('binds a block by its id', () => {
  const note = '# A\r\nText\r\n^w1\r\n';
  const part = { kind: 'block', id: 'w1' } as const;
  const bound = bindPart(note, part, 'db');
  expect(bound).toBe(
    `---\r\nmcp:\r\n  sections:\r\n    - block: w1\r\n      server: db\r\n---\r\n${note}`,
  );
  expect(bindPart(bound, part, 'db')).toBe('unchanged');
  expect(bindPart(bound.replace('block: w1', 'block: "^w1"'), part, 'weather')).toBe(
    bound.replace('block: w1', 'block: "^w1"').replace('db', 'weather'),
  );
  expect(bindPart(bound, part, null)).toBe(note);
  expect(bindPart('Text\n', part, 'db')).toBe('The note has no block ^w1.');
  expect(bindPart('a ^w1\n\nb ^w1\n', part, 'db')).toContain('twice');
});
