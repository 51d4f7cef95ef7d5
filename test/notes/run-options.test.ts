import { statSync, symlinkSync, writeFileSync } from 'node:fs';
import { readJournal } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { patient, TestVault } from '../end-to-end/errand-process.ts';
import { until } from './until.ts';

const echo = (text: string) => `\`\`\`fix\ntool: echo\ntext: ${text}\n\`\`\`\n`;
const plan = `# Plan\n\n${echo('one')}\n## Inner\n\n${echo('two')}^two\n\n# Other\n\n${echo('three')}`;

test('blocks are chosen by line, id, heading and staleness', patient, async () => {
  using vault = openVault({ 'Plan.md': plan });
  const run = async (...args: readonly string[]) => {
    writeFileSync(vault.journal, '');
    const ended = await vault.json('run', 'Plan.md', ...args);
    return { ...ended, called: called(vault) };
  };
  expect(await run('--block', '4', '--block', '^two')).toMatchObject({
    code: 0,
    called: ['one', 'two'],
    json: { note: 'Plan.md', changed: true, results: [{ line: 3 }, { line: 10 }] },
  });
  expect(await run('--section', '## Inner')).toMatchObject({ code: 0, called: ['two'] });
  expect(await run('--stale')).toMatchObject({ code: 0, called: ['three'] });
  expect(await run('--stale')).toMatchObject({ code: 0, called: [], json: { results: [] } });
  writeFileSync(vault.path('Plan.md'), vault.read('Plan.md').replace('text: one', 'text: uno'));
  expect(await run('--stale')).toMatchObject({ code: 0, called: ['uno'] });
  expect(await run('--section', 'Plan', '--block', '^nowhere')).toMatchObject({
    code: 2,
    called: [],
    json: {
      changed: false,
      results: [],
      error: {
        code: 'block_invalid',
        message: expect.stringContaining('no tool block at ^nowhere'),
      },
    },
  });
});

test('what is nearly right is reported with the name that was meant', patient, async () => {
  const near = (language: string, tool: string, name: string) =>
    `\`\`\`${language}\ntool: ${tool}\n${name}: "#a"\n\`\`\`\n`;
  const foreign = near('fixx', 'echo', 'text');
  using vault = openVault({ 'Near.md': foreign });
  const { code, stdout } = await vault.errand('run', 'Near.md');
  expect([code, stdout]).toEqual([1, expect.stringContaining('Did you mean "fix"?')]);
  expect(stdout).toContain('line 1  fixx echo  failed');
  expect((await vault.errand('blocks', 'Near.md')).stdout).toContain('line 1  fixx echo  invalid');
  const planned = await vault.json('run', 'Near.md', '--dry-run');
  expect(planned.json).toMatchObject({ blocks: [{ server: null, language: 'fixx' }] });
  const missing = await vault.errand('run', 'Near');
  expect(missing.stderr).toBe('There is no note Near. Did you mean Near.md?\n');
  expect(vault.read('Near.md')).toBe(foreign);
  writeFileSync(vault.path('Near.md'), near('fix', 'ehco', 'text') + near('fix', 'echo', 'txet'));
  const again = await vault.errand('run', 'Near.md');
  expect(again.code).toBe(1);
  expect(again.stdout).toContain('Tool not found: ehco. Did you mean "echo"?');
  expect(again.stdout).toContain('The tool has no parameter "txet". Did you mean "text"?');
});

test(
  'applies a limit to all notes together, and reports several notes as a list',
  patient,
  async () => {
    using vault = openVault({ 'A.md': echo('a'), 'B.md': echo('b'), 'C.md': 'No block.\n' });
    const limited = await vault.json('run', 'A.md', 'B.md', '--limit', '1', '--concurrency', '1');
    expect(limited).toMatchObject({ code: 3, json: [{ note: 'A.md' }, { note: 'B.md' }] });
    expect(called(vault)).toHaveLength(1);
    const free = await vault.json('run', 'A.md', 'B.md', 'Nowhere.md');
    expect(free).toMatchObject({
      code: 2,
      json: [
        { note: 'A.md', results: [{ status: 'success' }] },
        { note: 'B.md', results: [{ status: 'success' }] },
        { note: 'Nowhere.md', changed: false, results: [], error: { code: 'note_unreadable' } },
      ],
    });
    const every = (await vault.json('run', '--all')) as { json: { note: string }[] };
    expect(every.json.map(({ note }) => note)).toEqual(['A.md', 'B.md']);
    expect(await vault.json('run', '--all', 'b*', '--dry-run')).toMatchObject({
      code: 0,
      json: [{ note: 'B.md' }],
    });
    const nowhere = await vault.errand('run', '--all', '--section', 'Rome');
    expect([nowhere.code, nowhere.stderr]).toEqual([
      2,
      'No note has a tool block at Rome. Name another.\n',
    ]);
    expect(await vault.errand('run', '--all', 'Other/**')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has no note that fits Other/**.'),
    });
    expect(await vault.errand('run', 'A.md', '--all', 'b*')).toMatchObject({ code: 2 });
  },
);

test(
  'blocks run in order, and a note run again does not repeat what could act twice',
  patient,
  async () => {
    const write = '```fix\ntool: write\n```\n';
    const slow = '```fix\ntool: sleep\nmilliseconds: 50\n```\n';
    using vault = openVault({ 'A.md': [slow, write, echo('a')].join('\n') });
    const tools = () =>
      readJournal(vault.journal).flatMap(({ kind, tool }) => (kind === 'call' ? [tool] : []));
    expect(await vault.json('run', 'A.md')).toMatchObject({ code: 0 });
    expect(tools()).toEqual(['sleep', 'write', 'echo']);
    const text = vault.read('A.md');
    expect(await vault.json('run', 'A.md')).toMatchObject({
      code: 0,
      json: {
        changed: false,
        results: [
          { status: 'success' },
          { status: 'skipped', error: { code: 'already_done' } },
          { status: 'success' },
        ],
      },
    });
    const dry = await vault.errand('run', 'A.md', '--dry-run');
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringMatching(/Already done.*--again/s) });
    expect(vault.read('A.md')).toBe(text);
    await vault.errand(
      'run',
      'A.md',
      '--block',
      String(text.split('\n').indexOf('tool: write') + 1),
    );
    await vault.errand('run', 'A.md', '--again');
    expect(tools().filter((tool) => tool === 'write')).toHaveLength(3);
  },
);

test('watching with --run runs what is new or changed and only reads', patient, async () => {
  using vault = openVault({ 'A.md': `${echo('a')}\n\`\`\`fix\ntool: write\n\`\`\`\n` });
  using watching = vault.start('watch', 'A.md', '--run');
  await watching.says(/line 1 +fix echo +fresh/);
  writeFileSync(vault.path('A.md'), vault.read('A.md').replace('text: a', 'text: b'));
  await until(() => called(vault).length === 2);
  await watching.says(/line 1 +fix echo +stale.*line 1 +fix echo +fresh/s);
  expect(called(vault)).toEqual(['a', 'b']);
  expect(readJournal(vault.journal).some(({ tool }) => tool === 'write')).toBe(false);
});

test('a note that is named twice, also by a link, runs once', patient, async () => {
  using vault = openVault({ 'A.md': echo('a') });
  symlinkSync('A.md', vault.path('Link.md'));
  const { code, json } = await vault.json('run', 'A.md', 'Link.md', './A.md');
  expect(called(vault)).toEqual(['a']);
  expect({ code, json }).toMatchObject({ code: 0, json: [{ note: 'A.md', changed: true }] });
});

test('calls are made one after the other when that is asked for', patient, async () => {
  const texts = ['a', 'b', 'c', 'd', 'e', 'f'];
  using vault = openVault({ 'Many.md': texts.map(echo).join('\n') });
  await vault.errand('run', 'Many.md', '--concurrency', '1');
  expect(called(vault)).toEqual(texts);
});

test('calls of several notes are not made at once either', patient, async () => {
  const sleep = '```fix\ntool: sleep\nmilliseconds: 300\n```\n';
  using vault = openVault({ 'A.md': sleep, 'B.md': sleep });
  await vault.errand('run', 'A.md', 'B.md', '--concurrency', '1');
  const { json } = await vault.json('history');
  const { calls } = json as { calls: { submittedAt: number; durationMs: number }[] };
  const [second, first] = calls.toSorted((a, b) => b.submittedAt - a.submittedAt);
  expect(second?.submittedAt).toBeGreaterThanOrEqual(
    (first?.submittedAt ?? 0) + (first?.durationMs ?? Number.NaN),
  );
});

test(
  'a hand-edited result is refused with 3 and untouched, and the other blocks run',
  patient,
  async () => {
    using vault = openVault({ 'Note.md': `${echo('mine')}\n${echo('other')}` });
    await vault.errand('run', 'Note.md');
    const edited = vault.read('Note.md').replace('\nmine\n```', '\nmy own words\n```');
    writeFileSync(vault.path('Note.md'), edited.replace('text: other', 'text: another'));
    const { code, stdout } = await vault.errand('run', 'Note.md');
    expect(code).toBe(3);
    expect(stdout).toMatch(
      /line 1 +fix echo +refused\n +The result on line 6 was edited by hand\./,
    );
    expect(stdout).toContain('1 done, 1 refused. The note has changed.');
    expect(vault.read('Note.md')).toContain('\nmy own words\n```');
    expect(vault.read('Note.md')).toContain('\nanother\n```');
    expect(await vault.errand('run', 'Note.md', '--force')).toMatchObject({ code: 0 });
    expect(vault.read('Note.md')).toContain('\nmine\n```');
  },
);

test('the exit code is the gravest of what happened', patient, async () => {
  const off = '```off\ntool: echo\ntext: x\n```\n';
  const fail = '```fix\ntool: fail\n```\n';
  const bound = '---\nmcp: { server: off }\n---\n\n';
  using vault = openVault({ 'Off.md': off, 'Fail.md': fail, 'Bound.md': bound + echo('x') });
  const codeOf = async (...notes: readonly string[]) => (await vault.errand('run', ...notes)).code;
  expect(await codeOf('Off.md')).toBe(1);
  expect(await codeOf('Fail.md')).toBe(1);
  expect(vault.read('Off.md')).toBe(off);
  expect(vault.read('Fail.md')).toContain('code=tool_failed');
  expect(await codeOf('Fail.md', 'Bound.md')).toBe(3);
  expect(vault.read('Bound.md')).toBe(bound + echo('x'));
  vault.env.ERRAND_TRUST = '';
  expect(await codeOf('Fail.md', 'Bound.md')).toBe(2);
});

test(
  'a second run changes neither a byte nor the modification time, files included',
  patient,
  async () => {
    const large = '```fix\ntool: large\nbytes: 100000\n```\n';
    using vault = openVault({
      'Note.md': `${echo('a')}\n${large}\n\`\`\`fix\ntool: fail\n\`\`\`\n`,
    });
    await vault.errand('run', 'Note.md');
    const [, file = ''] = /(Attachments\S+)/.exec(vault.read('Note.md')) ?? [];
    const state = () => ({
      text: vault.read('Note.md'),
      note: statSync(vault.path('Note.md')).mtimeMs,
      file: statSync(vault.path(file)).mtimeMs,
    });
    const before = state();
    expect(await vault.json('run', 'Note.md')).toMatchObject({ code: 1, json: { changed: false } });
    expect(state()).toEqual(before);
  },
);

function openVault(notes: Readonly<Record<string, string>>): TestVault {
  const vault = TestVault.trusted({ notes });
  return vault.add(vault.scripted(), vault.scripted({}, { name: 'off', enabled: false }));
}

function called({ journal }: TestVault): unknown[] {
  return readJournal(journal)
    .filter(({ kind }) => kind === 'call')
    .map((line) => line.arguments?.text);
}
