import { readdirSync, writeFileSync } from 'node:fs';
import { readJournal } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { patient, type RunningProgram, TestVault } from '../end-to-end/errand-process.ts';
import { until } from './until.ts';

const echo = (text: string) => `\`\`\`fix\ntool: echo\ntext: ${text}\n\`\`\`\n`;

test(
  'listing, explaining and saving a note call nothing and start no server',
  patient,
  async () => {
    using vault = openVault({ 'Note.md': `# A\n\n${echo('one')}` });
    expect(await vault.json('blocks', 'Note.md')).toMatchObject({
      code: 0,
      json: { note: 'Note.md', blocks: [{ line: 3, state: 'new', tool: 'echo' }] },
    });
    expect(await vault.errand('sections', 'Note.md')).toMatchObject({
      code: 0,
      stdout: 'note -> any server (no binding)\n# A -> any server (no binding)\n',
    });
    using watching = vault.start('watch', 'Note.md');
    await watching.says(/line 3 +fix echo +new/);
    writeFileSync(vault.path('Note.md'), `# A\n\nSaved.\n\n${echo('one')}`);
    await watching.says(/line 5 +fix echo +new/);
    expect(readJournal(vault.journal)).toEqual([]);
  },
);

test(
  'a dry run asks for the tools, calls none, and finds what a run would refuse',
  patient,
  async () => {
    const wrong = '```fix\ntool: echo\n```\n';
    using vault = openVault({
      'Note.md': `${echo('01')}\n${wrong}\n\`\`\`fix\ntool: nosuch\n\`\`\`\n`,
    });
    const before = vault.read('Note.md');
    const { code, json } = await vault.json('run', 'Note.md', '--dry-run');
    expect({ code, json }).toMatchObject({
      code: 1,
      json: {
        note: 'Note.md',
        blocks: [
          { line: 1, server: 'fix', tool: 'echo', params: { text: '01' }, error: null },
          { line: 6, params: null, error: { code: 'invalid_params' } },
          { line: 10, params: null, error: { code: 'tool_not_found' } },
        ],
      },
    });
    expect(vault.read('Note.md')).toBe(before);
    expect(readJournal(vault.journal).map(({ kind }) => kind)).toEqual(['started']);
  },
);

test(
  'reports each change of a block on a line of JSON while watching a vault',
  patient,
  async () => {
    using vault = openVault({ 'Note.md': echo('one'), 'Plain.md': 'No blocks.\n' });
    using watching = vault.start('watch', '--json');
    const read = reader(watching);
    expect(await read(1)).toMatchObject([{ note: 'Note.md', blocks: [{ line: 1, state: 'new' }] }]);

    writeFileSync(vault.path('Plain.md'), 'Still none.\n');
    writeFileSync(vault.path('.git.md'), echo('hidden'));
    writeFileSync(vault.path('New.md'), `---\nmcp: { server: fix }\n---\n\n${echo('two')}`);
    expect((await read(2))[1]).toMatchObject({
      note: 'New.md',
      blocks: [{ line: 5, boundServer: 'fix', state: 'new' }],
    });

    // A run writes the results; the watch sees them and runs nothing itself.
    await vault.errand('run', 'Note.md');
    expect((await read(3))[2]).toMatchObject({ note: 'Note.md', blocks: [{ state: 'fresh' }] });
    expect(readJournal(vault.journal).filter(({ kind }) => kind === 'call')).toHaveLength(1);

    // Without its server it is no block of ours.
    vault.writeSettings(JSON.stringify({ version: 1, mcpServers: [] }));
    const gone = [
      { note: 'Note.md', blocks: [], problems: [] },
      { note: 'New.md', blocks: [], problems: [{ line: 2, message: expect.any(String) }] },
    ];
    expect((await read(5)).slice(3)).toEqual(expect.arrayContaining(gone));

    watching.child.kill('SIGINT');
    expect(await watching.ended).toMatchObject({ code: 0, stderr: '' });
    expect(readdirSync(vault.folder).sort()).toEqual([
      '.errand',
      '.git.md',
      'New.md',
      'Note.md',
      'Plain.md',
    ]);
  },
);

function openVault(notes: Readonly<Record<string, string>>): TestVault {
  const vault = TestVault.trusted({ notes });
  return vault.add(vault.scripted());
}

/** Waits for so many lines and gives them as they were parsed. */
function reader({ child }: RunningProgram): (count: number) => Promise<readonly unknown[]> {
  let text = '';
  child.stdout?.on('data', (chunk: string) => {
    text += chunk;
  });
  const lines = () => text.split('\n').slice(0, -1);
  return async (count) => {
    await until(() => lines().length >= count);
    return lines().map((line) => JSON.parse(line));
  };
}
