import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openAskVault } from './ask-vault.ts';
import { patient, TestVault } from './errand-process.ts';

test('a refused call in a vault of a stranger removes no files of a person', patient, async () => {
  using vault = new TestVault({ settings: { logDays: 1 } });
  vault.add(vault.scripted());
  const photos = join(vault.home, 'photos');
  mkdirSync(photos, { recursive: true });
  for (const name of ['wedding', 'calls-2001-01-01.jsonl']) {
    writeFileSync(join(photos, name), 'precious');
    utimesSync(join(photos, name), 1000, 1000);
  }
  mkdirSync(vault.path('.errand/log'), { recursive: true });
  symlinkSync(photos, vault.path('.errand/log/results'));
  expect(await vault.errand('call', 'fix', 'echo', 'text=a')).toMatchObject({ code: 2 });
  expect(readdirSync(photos)).toEqual(['calls-2001-01-01.jsonl', 'wedding']);
  expect(readdirSync(vault.path('.errand/log'))).toHaveLength(2);
});

test('a refused call writes no line into a file of a person', patient, async () => {
  using vault = new TestVault({});
  vault.add(vault.scripted());
  mkdirSync(vault.home, { recursive: true });
  const profile = join(vault.home, '.bashrc');
  writeFileSync(profile, 'alias l=ls\n');
  mkdirSync(vault.path('.errand/log'), { recursive: true });
  // Midnight may come between here and the call.
  for (const time of [Date.now(), Date.now() + 86_400_000]) {
    const day = new Date(time).toISOString().slice(0, 10);
    symlinkSync(profile, vault.path(`.errand/log/calls-${day}.jsonl`));
  }
  const refused = await vault.errand('call', 'fix', '$(touch planted)', 'text=a');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('The call log cannot be written');
  expect(readFileSync(profile, 'utf8')).toBe('alias l=ls\n');
});

test('a linked note outside the vault does not reach a model', patient, async () => {
  await using fixture = await openAskVault([{ text: ['Nothing.'] }]);
  const { vault, model } = fixture;
  mkdirSync(vault.home, { recursive: true });
  writeFileSync(join(vault.home, 'credentials'), 'key = very-private\n');
  symlinkSync(join(vault.home, 'credentials'), vault.path('Plan.md'));
  writeFileSync(vault.path('Other.md'), 'the other\n');
  symlinkSync('Other.md', vault.path('Inside.md'));
  const question = 'What do [[Plan]] and [[Inside]] say?';
  const { code } = await vault.errand('ask', '--note', 'Trip.md', question);
  const asked = JSON.stringify(model.requests.map(({ body }) => body));
  expect(asked).toContain('the other');
  expect(asked).not.toContain('very-private');
  expect(code).toBe(0);
});

test('a note that is a link out of the vault is neither run nor written', patient, async () => {
  using vault = TestVault.trusted({});
  vault.add(vault.scripted());
  const block = '```fix\ntool: echo\ntext: a\n```\n';
  mkdirSync(vault.home, { recursive: true });
  writeFileSync(join(vault.home, 'theirs.md'), block);
  symlinkSync(join(vault.home, 'theirs.md'), vault.path('Plan.md'));
  const refused = await vault.errand('run', 'Plan.md');
  expect(refused).toMatchObject({ stdout: '' });
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('Plan.md is a symbolic link that leaves the vault. Move');
  expect(readFileSync(join(vault.home, 'theirs.md'), 'utf8')).toBe(block);
  const listed = await vault.errand('blocks', 'Plan.md');
  expect(listed.stdout).not.toContain('echo');
});

test('large answers leave no vault through its attachments', patient, async () => {
  const note = '```fix\ntool: large\nbytes: 100000\n```\n';
  using vault = TestVault.trusted({ notes: { 'Note.md': note } });
  vault.add(vault.scripted());
  const elsewhere = join(vault.home, 'elsewhere');
  mkdirSync(elsewhere, { recursive: true });
  symlinkSync(elsewhere, vault.path('Attachments'));
  const { code, stdout, stderr } = await vault.errand('run', 'Note.md');
  expect(code).toBe(3);
  expect(stdout + stderr).toContain('Attachments is a symbolic link that leaves the vault');
  expect(readdirSync(elsewhere)).toEqual([]);
  // The answer is not lost.
  const [kept = ''] = /\.errand\/log\/results\/[\w-]+/.exec(stdout + stderr) ?? [];
  expect(existsSync(vault.path(kept))).toBe(true);
  expect(vault.read(kept)).toContain('x'.repeat(100_000));
});
