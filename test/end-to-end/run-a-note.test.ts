import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJournal } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { patient, TestVault } from './errand-process.ts';

test('a note runs a tool of the vault server and shows the answer below the block', async () => {
  using vault = new TestVault();
  const { code, stdout } = await vault.errand('run', 'Welcome.md');
  expect(stdout).toMatch(/line 9 +vault list_notes +done/);
  expect(code).toBe(0);
  const note = readFileSync(join(vault.folder, 'Welcome.md'), 'utf8');
  expect(note).toMatch(
    /directory: Projects\n```\n\n```mcp-result req=\w{10} sum=\w{10} type=json\n/,
  );
  expect(note).toContain('"path": "Projects/Garden office.md"');
});

test('a second run with equal answers changes neither a byte nor the modification time', async () => {
  using vault = new TestVault();
  const path = join(vault.folder, 'Welcome.md');
  await vault.errand('run', 'Welcome.md');
  const before = { text: readFileSync(path, 'utf8'), time: statSync(path).mtimeMs };
  const { code, stdout } = await vault.errand('run', 'Welcome.md', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    note: 'Welcome.md',
    changed: false,
    results: [{ line: 9, server: 'vault', tool: 'list_notes', status: 'success', written: false }],
  });
  expect({ text: readFileSync(path, 'utf8'), time: statSync(path).mtimeMs }).toEqual(before);
});

test('a note that does not exist is named, and the exit code says wrong usage', async () => {
  using vault = new TestVault();
  const { code, stderr } = await vault.errand('run', 'Nowhere.md');
  expect(stderr).toBe('There is no note Nowhere.md.\n');
  expect(code).toBe(2);
});

/** A vault with a note whose blocks act, and answer as soon as `go` exists. */
function actingVault(count: number) {
  const vault = TestVault.trusted({});
  const go = vault.path('go');
  vault.writeSettings(JSON.stringify({ version: 1, mcpServers: [vault.scripted()] }));
  const block = (_: unknown, index: number) =>
    `# ${index}\n\`\`\`fix\ntool: act-late\nfile: ${go}\n\`\`\`\n`;
  writeFileSync(vault.path('Note.md'), Array.from({ length: count }, block).join('\n'));
  const counted = (kind: string) =>
    readJournal(vault.journal).filter((entry) => entry.kind === kind).length;
  return {
    vault,
    go: () => writeFileSync(go, ''),
    calls: () => counted('call'),
    servers: () => counted('started'),
    [Symbol.dispose]: () => vault[Symbol.dispose](),
  };
}

test('two programs that run a note at once make each of its calls once', patient, async () => {
  using acting = actingVault(3);
  const { vault, go, calls, servers } = acting;
  using first = vault.start('run', 'Note.md');
  await expect.poll(calls, { timeout: 30_000 }).toBe(1);
  using second = vault.start('run', 'Note.md');
  await expect.poll(servers, { timeout: 30_000 }).toBe(2);
  go();
  const ends = await Promise.all([first.ended, second.ended]);
  expect(ends.map(({ code }) => code)).toEqual([0, 0]);
  expect(calls()).toBe(3);
  expect(vault.read('Note.md').match(/mcp-result/g)).toHaveLength(3);
});

test(
  'a call that a killed program had begun is told before it is made again',
  patient,
  async () => {
    using acting = actingVault(1);
    const { vault, go, calls } = acting;
    using killed = vault.start('run', 'Note.md');
    await expect.poll(calls, { timeout: 30_000 }).toBe(1);
    killed.child.kill('SIGKILL');
    await killed.ended;
    go();
    expect((await vault.errand('run', 'Note.md')).code).toBe(1);
    expect(vault.read('Note.md')).toContain('which may have taken effect');
    expect(calls()).toBe(1);
    expect((await vault.errand('run', 'Note.md')).code).toBe(0);
    expect(calls()).toBe(2);
  },
);
