import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { readJournal } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { connectToOwner } from './lease/connect-to-owner.ts';
import { readOwner } from './lease/owner-info.ts';
import { takeLease } from './lease/take-lease.ts';
import { type Program, programVault } from './testing/start-program.ts';

const editor = { program: 'obsidian', owns: 'editor' } as const;
const command = { program: 'command', owns: 'never' } as const;

test('an editor hands over to a program that owns first, and owns again when that leaves', async () => {
  await using vault = await programVault();
  const first = vault.start(editor);
  await first.ready;
  const second = vault.start(editor);
  const reader = vault.start(command);
  await Promise.all([second.ready, reader.ready]);
  const file = join(vault.path, 'file');
  const running = second.call({ id: 'short', toolName: 'wait', parameters: { file } });
  const hanging = second.call({ id: 'long', toolName: 'hang' });
  const own = first.call({ id: 'own', toolName: 'hang' });
  const count = () => readJournal(vault.journal).filter(({ kind }) => kind === 'call').length;
  await expect.poll(count).toBe(3);
  const up = vault.start({ program: 'up' });
  await expect
    .poll(() =>
      first
        .tell({ do: 'role' })
        .then(async (role) => [role, (await first.tell({ do: 'seen' })).faults]),
    )
    .toEqual(['own', []]);
  // Calls of the grace: one that ends, two that are told.
  await writeFile(file, '');
  expect(await running).toMatchObject({ status: 'success', content: 'it is there' });
  expect(await hanging).toMatchObject({ error: { code: 'owner_lost' } });
  expect(await own).toMatchObject({ error: { code: 'owner_lost' } });
  await up.ready;
  expect(await up.tell({ do: 'role' })).toBe('own');
  const editors = [first, second];
  await expect.poll(() => roles(editors)).toEqual(['attached', 'attached']);
  expect(await first.tell({ do: 'tracker' })).toMatchObject({ stopped: false });
  const all = [first, second, up, reader];
  const outcomes = await Promise.all(
    all.map((each, index) => each.call({ id: `after ${index}`, toolName: 'write' })),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(all.map(() => 'success'));
  await up.tell({ do: 'dispose' });
  await up.exited;
  await expect.poll(async () => (await roles(editors)).toSorted()).toEqual(['attached', 'own']);
  expect(await reader.call({ id: 'last', toolName: 'write' })).toMatchObject({ status: 'success' });
  const lines = readJournal(vault.journal);
  expect(lines.filter(({ tool }) => tool === 'hang')).toHaveLength(2);
  expect(lines.filter(({ tool }) => tool === 'write')).toHaveLength(5);
  // One process of the server for each owner, never two at once.
  expect(lines.filter(({ kind }) => kind === 'started')).toHaveLength(3);
}, 90_000);

test('a command that starts while an editor hands over waits for the new owner', async () => {
  await using vault = await programVault();
  const first = vault.start(editor);
  await first.ready;
  const own = first.call({ id: 'own', toolName: 'hang' });
  await expect.poll(() => readJournal(vault.journal)).toHaveLength(2);
  const up = vault.start({ program: 'up' });
  const commands = [vault.start(command), vault.start(command), vault.start(command)];
  await Promise.all([up.ready, ...commands.map((each) => each.ready)]);
  expect(await own).toMatchObject({ error: { code: 'owner_lost' } });
  for (const each of commands) {
    expect(await each.call({ id: `${each.pid}`, toolName: 'write' })).toMatchObject({
      status: 'success',
    });
    expect(await each.tell({ do: 'role' })).toBe('attached');
  }
  const lines = readJournal(vault.journal);
  expect(lines.filter(({ kind }) => kind === 'started')).toHaveLength(2);
});

test('an editor owns again when the program dies that it hands over to', async () => {
  await using vault = await programVault();
  const first = vault.start(editor);
  await first.ready;
  const own = first.call({ id: 'own', toolName: 'hang' });
  await expect.poll(() => readJournal(vault.journal)).toHaveLength(2);
  const up = vault.start({ program: 'up' });
  // It dies when the editor has given everything up for it.
  expect(await own).toMatchObject({ error: { code: 'owner_lost' } });
  await up.kill();
  await expect.poll(() => first.tell({ do: 'role' })).toBe('own');
  expect(await first.call({ id: 'after', toolName: 'write' })).toMatchObject({ status: 'success' });
  expect(readJournal(vault.journal).filter(({ tool }) => tool === 'hang')).toHaveLength(1);
});

test('a program of another version runs alone and says so', async () => {
  await using vault = await programVault();
  const taken = await takeLease(vault.lease, {
    program: 'up',
    version: '9.0.0',
    protocol: 99,
    since: 0,
  });
  if ('heldBy' in taken) throw new Error('held');
  await using lease = taken;
  lease.accept((socket) => socket.resume());
  for (const options of [{}, editor, command]) {
    const program = vault.start(options);
    await program.ready;
    expect(await program.tell({ do: 'role' })).toBe('private');
    expect(await program.call({ id: 'a', toolName: 'write' })).toMatchObject({ status: 'success' });
    const { notices } = await program.tell({ do: 'seen' });
    expect(notices).toMatchObject([
      { level: 'warning', detail: expect.stringContaining('owned by up 9.0.0') },
    ]);
    await program.tell({ do: 'dispose' });
    await program.exited;
  }
  expect(lease.isHeld()).toBe(true);
});

test('an owner is unharmed by programs of another version, and by what is no program', async () => {
  await using vault = await programVault();
  const owner = vault.start();
  await owner.ready;
  const contact = await connectToOwner(vault.lease);
  if (contact.status !== 'connected') throw new Error(contact.status);
  // A newer program sees whom it reached and leaves.
  contact.socket.destroy();
  const { socket: address } = readOwner(vault.lease) ?? { socket: '' };
  for (const said of [
    'GET / HTTP/1.1\r\n\r\n',
    '{"jsonrpc":"2.0","id":1,"method":"hello-9","params":{}}\n',
    '{"jsonrpc":"2.0","id":1,"method":"constructor"}\n',
    '{"jsonrpc":"2.0","id":1,"method":"execute","params":{"call":"x"}}\n',
    '{"jsonrpc":"2.0","id":1,"method":"hello","params":null}\n',
    '{"jsonrpc":"2.0","method":"abort","params":{}}\n{"jsonrpc":"2.0","id":9,"result":{}}\n',
    '[1,2,3]\nnull\n\0\n\n{}{}\n',
    'x'.repeat(5_000_000),
  ]) {
    connect(address)
      .on('error', () => {})
      .end(said);
  }
  // One that says nothing and stays.
  await using silent = vault.start(command);
  const open = connect(address).on('error', () => {});
  await silent.ready;
  expect(await silent.call({ id: 'a', toolName: 'write' })).toMatchObject({ status: 'success' });
  expect(await owner.call({ id: 'b', toolName: 'write' })).toMatchObject({ status: 'success' });
  expect(await owner.tell({ do: 'seen' })).toMatchObject({ faults: [], notices: [] });
  open.destroy();
});

function roles(programs: readonly Program[]) {
  return Promise.all(programs.map((each) => each.tell({ do: 'role' })));
}
