import { spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { programVault } from './testing/start-program.ts';

const command = { program: 'command', owns: 'never' } as const;
const manyCalls = { mcpSessionLimit: -1 };
const large = (id: string) => ({ id, toolName: 'large', parameters: { bytes: 20_000_000 } });

test('passes an answer of 20 MB on, and a thousand calls at once', async () => {
  await using vault = await programVault({}, manyCalls);
  const owner = vault.start();
  await owner.ready;
  const face = vault.start(command);
  expect(await face.call(large('large'))).toMatchObject({ status: 'success', size: 20_000_000 });
  const ids = Array.from({ length: 1_000 }, (_, index) => `${index}`);
  const outcomes = await Promise.all(
    ids.map((id) =>
      face.call({ id, toolName: 'echo', sessionId: 'one', parameters: { text: id } }),
    ),
  );
  expect(outcomes.map(({ content }) => content)).toEqual(ids);
  expect(await owner.tell({ do: 'usage', session: 'one' })).toMatchObject({ executed: 1_000 });
  expect(await owner.tell({ do: 'seen' })).toMatchObject({ faults: [], notices: [] });
}, 120_000);

test('drops a program that does not read, which attaches again when it goes on', async () => {
  await using vault = await programVault({}, manyCalls);
  const owner = vault.start();
  await owner.ready;
  const asleep = vault.start();
  await asleep.ready;
  const faces = async () => (await owner.tell({ do: 'status' })).faces?.length;
  expect(await faces()).toBe(1);
  asleep.signal('SIGSTOP');
  for (let sent = 0; sent < 40 && (await faces()) === 1; sent += 1) {
    expect(await owner.call(large(`${sent}`))).toMatchObject({ status: 'success' });
  }
  expect(await faces()).toBe(0);
  asleep.signal('SIGCONT');
  await expect.poll(faces).toBe(1);
  await expect.poll(() => asleep.tell({ do: 'role' })).toBe('attached');
  expect(await asleep.call({ id: 'last', toolName: 'write' })).toMatchObject({ status: 'success' });
}, 180_000);

test('runs alone, and says why, where the folder of the lease cannot be made', async () => {
  await using vault = await programVault();
  await mkdir(vault.state, { recursive: true });
  await writeFile(join(vault.state, 'owners'), '');
  for (const options of [{}, command]) {
    const program = vault.start(options);
    expect(await program.call({ id: 'a', toolName: 'write' })).toMatchObject({ status: 'success' });
    expect(await program.tell({ do: 'role' })).toBe('private');
    const { notices, faults } = await program.tell({ do: 'seen' });
    expect(faults).toEqual([]);
    if (options === command) continue;
    expect(notices).toMatchObject([
      { level: 'warning', detail: expect.stringContaining('ENOTDIR') },
    ]);
  }
});

test.runIf(process.getuid?.() === 0)(
  'runs alone where the folder of the lease is of another user',
  async () => {
    await using vault = await programVault();
    await mkdir(vault.lease.path, { recursive: true, mode: 0o700 });
    await chown(vault.lease.path, 12_345, 12_345);
    const program = vault.start();
    expect(await program.call({ id: 'a', toolName: 'write' })).toMatchObject({ status: 'success' });
    const { notices } = await program.tell({ do: 'seen' });
    expect(notices).toMatchObject([{ detail: expect.stringContaining('belongs to another user') }]);
  },
);

/** Somebody else can only run our programs where the folder of the project lets others in. */
const canRunAsOther =
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, ['--check', import.meta.filename], { uid: 65_534, cwd: '/' })
    .status === 0;

test.runIf(canRunAsOther)('opens a vault whose state folder cannot be written', async () => {
  await using vault = await programVault();
  await chmod(vault.path, 0o755);
  const program = vault.start({}, 65_534);
  await program.ready;
  expect(await program.tell({ do: 'role' })).toBe('private');
  const { notices, faults } = await program.tell({ do: 'seen' });
  expect(faults).toEqual([]);
  expect(notices).toMatchObject([{ level: 'warning', detail: expect.stringContaining('EACCES') }]);
  expect(await program.call({ id: 'a', toolName: 'write' })).toMatchObject({ status: 'error' });
});
