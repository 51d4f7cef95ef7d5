import { readJournal } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { patient, TestVault } from '../end-to-end/errand-process.ts';

const request = '```fix\ntool: echo\ntext: hello\n```\n';
const body = `# Secret\n${request}`;
const note = (frontmatter: string) => `---\n${frontmatter}\n---\n${body}`;
const binding = { sectionType: 'heading', headingText: '# Secret', documentPath: 'n.md' };

/** A vault with the note, and a server besides that is bound in the settings. */
function openVault(text: string, entry: object = {}): TestVault {
  const vault = TestVault.trusted({ notes: { 'n.md': text } });
  const settings = { ...vault.settings() };
  const db = { ...vault.scripted({}, { id: 'db', name: 'db' }), ...entry };
  vault.writeSettings(JSON.stringify({ ...settings, mcpServers: [vault.scripted(), db] }));
  return vault;
}

test.each([
  ['the indent forgotten', note('mcp:\nserver: db'), {}],
  ['frontmatter that is not YAML', note('a: [\nmcp:\n  server: db'), {}],
  ['frontmatter that is not closed', `---\nmcp:\n  server: db\n${body}`, {}],
  ['capital letters', note('MCP:\n  server: db'), {}],
  ['a list', note('- mcp:\n    server: db'), {}],
  ['a heading that is misspelt', note('mcp: {sections: [{heading: Secert, server: db}]}'), {}],
  ['a wrong word', body, { sectionBindings: [{ ...binding, sectionType: 'headng' }] }],
  ['a number for a text', body, { sectionBindings: [{ ...binding, headingText: 5 }] }],
  ['a mistake elsewhere', body, { transport: 'stdoi', sectionBindings: [binding] }],
  ['a name that is taken', body, { name: 'fix', sectionBindings: [binding] }],
  [
    'a heading that is misspelt in the settings',
    body,
    { sectionBindings: [{ ...binding, headingText: 'Secert' }] },
  ],
] as const)(
  'with %s nothing is called, and every command says why',
  patient,
  async (_, text, entry) => {
    using vault = openVault(text, entry);
    const run = await vault.json('run', 'n.md');
    const { results, problems } = run.json as {
      readonly results: readonly { readonly error: { readonly code: string; message: string } }[];
      readonly problems: readonly { readonly message: string }[];
    };
    expect(run.code).toBe(3);
    expect(readJournal(vault.journal)).toEqual([]);
    expect(vault.read('n.md')).toBe(text);
    const [problem] = problems;
    const why = `No server may be called here. ${problem?.message}`;
    expect(results).toMatchObject([{ status: 'refused', error: { code: 'section_forbids' } }]);
    expect(results[0]?.error.message).toBe(why);

    expect((await vault.errand('run', 'n.md')).stderr).toContain(problem?.message);
    expect((await vault.json('run', 'n.md', '--dry-run')).code).toBe(3);
    const blocks = await vault.json('blocks', 'n.md');
    expect(blocks.json).toMatchObject({ blocks: [{ problem: { message: why } }], problems });
    const sections = await vault.errand('sections', 'n.md');
    expect(sections.code).toBe(1);
    expect(sections.stderr).toContain(problem?.message);
    expect(sections.stdout).toContain(`# Secret -> refused (${problem?.message})`);
  },
);

test.each(['/n.md', './n.md', 'n', 'N.md'])('the path %s binds the note', patient, async (path) => {
  using vault = openVault(body, { sectionBindings: [{ ...binding, documentPath: path }] });
  const { code, stdout } = await vault.errand('run', 'n.md');
  expect(code).toBe(3);
  expect(stdout).toContain('This section is bound to db (settings of db)');
  expect(readJournal(vault.journal)).toEqual([]);
});

test('reports a mistake that forbids nothing here in every command', patient, async () => {
  const misspelt = { ...binding, headingText: 'Secert', documentPath: '*.md' };
  const elsewhere = { ...binding, documentPath: 'Nothing.md' };
  using vault = openVault(body, { sectionBindings: [misspelt, elsewhere] });
  for (const command of ['run', 'blocks', 'sections']) {
    const { stderr } = await vault.errand(command, 'n.md');
    expect(stderr).toContain(
      'n.md: Settings of db: No heading "Secert" in this note; this binding is ignored here. Did you mean "# Secret"?',
    );
    expect(stderr).toContain('No note matches "Nothing.md"');
  }
  using gateway = vault.start('gateway', '--port', '0', '--note', 'n.md');
  await gateway.says(/n\.md: Settings of db: No heading "Secert"/);
});
