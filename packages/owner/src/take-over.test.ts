import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProcess } from '@errand/files/processes';
import { readJournal, ScriptedHttpServer } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import {
  type Program,
  type ProgramVault,
  programVault,
  scriptedEntry,
} from './testing/start-program.ts';

/** Every round starts programs; `ERRAND_TAKE_OVERS=50` looks for what happens rarely. */
const rounds = Number(process.env.ERRAND_TAKE_OVERS ?? 10);

test(`another program takes over when the owner is killed, ${rounds} times in a row`, async () => {
  await using vault = await programVault();
  const programs = [vault.start()];
  await programs[0]?.ready;
  for (let round = 0; round < rounds; round += 1) {
    while (programs.length < 4) programs.push(vault.start());
    await Promise.all(programs.map((each) => each.ready));
    const { owner, others } = await split(programs);
    const [writer, reader] = others as [Program, Program];
    const [lost, repeated] = await midCall(vault, round, writer, reader, async (server) => {
      await owner.kill();
      const { owner: next } = await waitForOwner(others);
      await expect.poll(() => findProcess(server)).toBeUndefined();
      programs.splice(0, programs.length, ...others);
      expect(next.pid).not.toBe(owner.pid);
    });
    expect(lost).toMatchObject({ status: 'error', error: { code: 'owner_lost' } });
    expect(repeated).toMatchObject({ status: 'success', content: 'it is there' });
  }
  await expectNoFaults(programs);
}, 600_000);

test(`another program takes over when the owner is stopped, ${rounds} times in a row; it attaches when it goes on`, async () => {
  await using vault = await programVault();
  const programs = [vault.start()];
  await programs[0]?.ready;
  for (let round = 0; round < rounds; round += 1) {
    while (programs.length < 4) programs.push(vault.start());
    await Promise.all(programs.map((each) => each.ready));
    const { owner, others } = await split(programs);
    const [writer, reader] = others as [Program, Program];
    const own = owner.call({ id: `own ${round}`, toolName: 'hang' });
    await expect
      .poll(() => readJournal(vault.journal).filter(({ tool }) => tool === 'hang'))
      .toHaveLength(2 * round + 1);
    const [lost, repeated] = await midCall(vault, round, writer, reader, async (server) => {
      owner.signal('SIGSTOP');
      await waitForOwner(others);
      await expect.poll(() => findProcess(server)).toBeUndefined();
      owner.signal('SIGCONT');
      await expect.poll(() => owner.tell({ do: 'role' })).toBe('attached');
    });
    expect(lost).toMatchObject({ status: 'error', error: { code: 'owner_lost' } });
    expect(repeated).toMatchObject({ status: 'success', content: 'it is there' });
    expect(await own).toMatchObject({ status: 'error', error: { code: 'owner_lost' } });
    expect(await owner.call({ id: `again ${round}`, toolName: 'upsert' })).toMatchObject({
      status: 'success',
    });
  }
  await expectNoFaults(programs);
}, 600_000);

test('an owner that goes on after another took over runs nothing of what it was sent before', async () => {
  await using vault = await programVault();
  await using remote = await new ScriptedHttpServer({ journal: vault.journal }).start();
  const server = scriptedEntry({}, { transport: 'http', deploymentType: 'external' });
  const { localConfig: _, ...entry } = server;
  await vault.writeSettings(vault.settingsWith({ ...entry, httpConfig: { url: remote.url } }));
  const owner = vault.start();
  await owner.ready;
  const other = vault.start();
  expect(await other.call({ id: 'a', toolName: 'write' })).toMatchObject({ status: 'success' });
  owner.signal('SIGSTOP');
  const late = other.call({ id: 'b', toolName: 'write' });
  expect(await late).toMatchObject({ error: { code: 'owner_lost' } });
  owner.signal('SIGCONT');
  await expect.poll(() => owner.tell({ do: 'role' })).toBe('attached');
  expect(await owner.call({ id: 'c', toolName: 'write' })).toMatchObject({ status: 'success' });
  expect(readJournal(vault.journal).filter(({ tool }) => tool === 'write')).toHaveLength(2);
});

/** Has two calls running while something happens to the owner: one that may act twice, one that may not. */
async function midCall(
  vault: ProgramVault,
  round: number,
  writer: Program,
  reader: Program,
  happen: (server: number) => Promise<void>,
) {
  const file = join(vault.path, `file ${round}`);
  const written = writer.call({ id: `write ${round}`, toolName: 'hang', parameters: { round } });
  const read = reader.call({ id: `read ${round}`, toolName: 'wait', parameters: { file } });
  const count = (tool: string, key: string, value: unknown) =>
    readJournal(vault.journal).filter(
      (line) => line.tool === tool && line.arguments?.[key] === value,
    );
  await expect.poll(() => count('hang', 'round', round)).toHaveLength(1);
  await expect.poll(() => count('wait', 'file', file)).toHaveLength(1);
  await happen(count('hang', 'round', round)[0]?.pid ?? 0);
  await writeFile(file, '');
  const outcomes = await Promise.all([written, read]);
  expect(count('hang', 'round', round)).toHaveLength(1);
  expect(count('wait', 'file', file)).toHaveLength(2);
  return outcomes;
}

/** The owner among these programs, and the others, when all agree. */
async function split(programs: readonly Program[]) {
  const roles = await Promise.all(programs.map((each) => each.tell({ do: 'role' })));
  const owner = programs[roles.indexOf('own')];
  expect(roles.toSorted()).toEqual([...programs.slice(1).map(() => 'attached'), 'own']);
  if (owner === undefined) throw new Error('nobody owns the vault');
  return { owner, others: programs.filter((each) => each !== owner) };
}

async function waitForOwner(programs: readonly Program[]) {
  await expect
    .poll(() => Promise.all(programs.map((each) => each.tell({ do: 'role' }))), { interval: 20 })
    .toContain('own');
  await expect
    .poll(() =>
      Promise.all(
        programs.map(async (each) => {
          const { owner } = await each.tell({ do: 'status' });
          return owner?.pid ?? JSON.stringify((await each.tell({ do: 'seen' })).notices);
        }),
      ),
    )
    .toSatisfy((pids: readonly unknown[]) => new Set(pids).size === 1);
  return split(programs);
}

async function expectNoFaults(programs: readonly Program[]): Promise<void> {
  for (const program of programs) {
    const { faults, notices } = await program.tell({ do: 'seen' });
    expect(faults).toEqual([]);
    expect(notices.filter(({ level }) => level === 'error')).toEqual([]);
  }
}
