import { localServer, memoryHost, request } from '@errand/host/testing';
import { expect, test, vi } from 'vitest';
import { takeLease } from './lease/take-lease.ts';
import { openProgram } from './testing/shared-host.ts';
import { temporaryVault } from './testing/temporary-vault.ts';

const servers = [localServer('a')];

test('runs a call of an attached program in the owner, and both show it', async () => {
  await using vault = await temporaryVault();
  await using owner = await openProgram(vault, servers);
  await using other = await openProgram(vault, servers, { program: 'serve' });
  expect([owner.shared.role, other.shared.role]).toEqual(['own', 'attached']);
  expect(other.hosts).toEqual([]);
  const outcome = await other.shared.execute(request());
  expect(outcome).toMatchObject({ status: 'success', result: { content: 'hello' } });
  await vi.waitFor(() => expect(other.shared.tracker.executionHistory).toHaveLength(1));
  expect(owner.shared.tracker.executionHistory).toHaveLength(1);
  expect(other.shared.sessions.usage('session').executed).toBe(1);
  expect(other.shared.servers.snapshot('a').connectionState).toBe('connected');
  expect([...(other.shared.servers.lastTools('a')?.keys() ?? [])]).toEqual(['echo']);
});

test('lets whoever stops the calls stop those of all programs', async () => {
  await using vault = await temporaryVault();
  await using owner = await openProgram(vault, servers);
  await using other = await openProgram(vault, servers);
  other.shared.stop();
  await vi.waitFor(() => expect(owner.shared.tracker.stopped).toBe(true));
  expect(await owner.shared.execute(request())).toMatchObject({ error: { code: 'stopped' } });
  owner.shared.resume();
  await vi.waitFor(() => expect(other.shared.tracker.stopped).toBe(false));
  expect(await other.shared.execute(request())).toMatchObject({ status: 'success' });
});

test('forgets the sessions of a program that does not stay when it leaves, and no other', async () => {
  await using vault = await temporaryVault();
  await using owner = await openProgram(vault, servers);
  await using other = await openProgram(vault, servers);
  const command = await openProgram(vault, servers, { program: 'command', owns: 'never' });
  command.shared.sessions.setLimit('run', 7);
  await command.shared.execute(request({ sessionId: 'run' }));
  await other.shared.execute(request({ sessionId: 'note:A.md' }));
  await vi.waitFor(() => expect([...other.shared.sessions.used().keys()]).toContain('run'));
  expect(owner.shared.sessions.usage('run')).toEqual({ executed: 1, limit: 7 });
  await command[Symbol.asyncDispose]();
  for (const { shared } of [owner, other]) {
    await vi.waitFor(() => expect([...shared.sessions.used().keys()]).toEqual(['note:A.md']));
    expect(shared.sessions.usage('run').limit).not.toBe(7);
  }
});

test('makes an attached program the owner when the owner leaves, with its counts and its stop', async () => {
  await using vault = await temporaryVault();
  const owner = await openProgram(vault, servers);
  await using other = await openProgram(vault, servers);
  await other.shared.execute(request());
  other.shared.stop();
  await vi.waitFor(() => expect(owner.shared.tracker.stopped).toBe(true));
  await owner[Symbol.asyncDispose]();
  await vi.waitFor(() => expect(other.shared.role).toBe('own'), { timeout: 5_000 });
  expect(other.shared.tracker.stopped).toBe(true);
  expect(other.shared.sessions.usage('session').executed).toBe(1);
  other.shared.resume();
  expect(await other.shared.execute(request())).toMatchObject({ status: 'success' });
});

test('makes an editor hand over to a program that owns first', async () => {
  await using vault = await temporaryVault();
  await using editor = await openProgram(vault, servers, { program: 'obsidian', owns: 'editor' });
  expect(editor.shared.role).toBe('own');
  await using up = await openProgram(vault, servers);
  expect(up.shared.role).toBe('own');
  await vi.waitFor(() => expect(editor.shared.role).toBe('attached'), { timeout: 5_000 });
  expect(await editor.shared.execute(request())).toMatchObject({ status: 'success' });
  expect((await up.shared.status())?.faces).toMatchObject([{ program: 'obsidian' }]);
});

test('offers what a program lends to all, under any owner, until the program leaves', async () => {
  await using vault = await temporaryVault();
  const owner = await openProgram(vault, servers);
  const editor = await openProgram(vault, servers, { program: 'vscode', owns: 'editor' });
  await using other = await openProgram(vault, servers, { program: 'serve' });
  const lent = {
    id: 'lent',
    name: 'editor',
    listTools: async () => [{ name: 'open', inputSchema: { type: 'object' } }],
    callTool: async () => ({ content: [{ type: 'text', text: 'opened' }] }),
  };
  await editor.shared.servers.lend(lent);
  const found = () => other.shared.servers.find('editor');
  await vi.waitFor(() => expect(found()).toMatchObject({ id: 'lent', deploymentType: 'face' }));
  const works = async () =>
    expect(
      await other.shared.execute(request({ serverId: 'lent', toolName: 'open' })),
    ).toMatchObject({ status: 'success', result: { content: 'opened' } });
  await works();
  await expect(other.shared.servers.lend(lent)).rejects.toThrow('There is a server "editor"');
  await owner[Symbol.asyncDispose]();
  await vi.waitFor(works, { timeout: 5_000 });
  await editor[Symbol.asyncDispose]();
  await vi.waitFor(() => expect(found()).toBeUndefined(), { timeout: 5_000 });
});

test('a command that ends soon attaches, and runs alone where nobody owns the vault', async () => {
  await using vault = await temporaryVault();
  await using alone = await openProgram(vault, servers, { owns: 'never' });
  expect(alone.shared.role).toBe('private');
  await using owner = await openProgram(vault, servers);
  await using attached = await openProgram(vault, servers, { owns: 'never' });
  expect([owner.shared.role, attached.shared.role]).toEqual(['own', 'attached']);
});

test('records a call that was lost with its owner, and repeats one that only reads', async () => {
  await using vault = await temporaryVault();
  const owner = await openProgram(vault, servers);
  await using other = await openProgram(vault, servers);
  const [connector] = owner.hosts.map((made) => made.connector);
  const tool = (name: string, readOnlyHint: boolean) => ({
    name,
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint },
  });
  const tools = [tool('act', false), tool('look', true)];
  const call = () => new Promise<never>(() => undefined);
  connector?.behaviours.set('a', { tools, call });
  const typeParameters = () => ({ text: 'typed' });
  const act = other.shared.execute(request({ toolName: 'act' }), { typeParameters });
  const look = other.shared.execute(request({ toolName: 'look' }));
  const lateLook = other.shared.execute(request({ toolName: 'look', timeout: 1 }));
  await vi.waitFor(() => expect(other.shared.tracker.activeExecutions.size).toBe(3));
  await owner[Symbol.asyncDispose]();
  expect(await act).toMatchObject({ status: 'error', error: { code: 'owner_lost' } });
  expect(other.logged).toContainEqual(
    expect.objectContaining({ tool: 'act', parameters: { text: 'typed' } }),
  );
  // A repeated call would outlive its deadline.
  expect(await lateLook).toMatchObject({ status: 'error', error: { code: 'owner_lost' } });
  // The new owner's server has other tools, so that the second attempt can be told from the first.
  expect(await look).toMatchObject({ status: 'error', error: { code: 'tool_not_found' } });
});

test('tells whoever waits that no owner can be had, and tries again', async () => {
  await using vault = await temporaryVault();
  const owner = await openProgram(vault, servers);
  let failures = 0;
  await using spare = await openProgram(vault, servers, { owns: 'never' });
  await using other = await openProgram(vault, servers, {
    openHost: async (role) => {
      failures += 1;
      if (failures === 1) throw new Error('There is no memory left.');
      return (await memoryHost(servers, {}, role)).host;
    },
  });
  await owner[Symbol.asyncDispose]();
  await vi.waitFor(() => expect(failures).toBe(1));
  expect(await other.shared.execute(request())).toMatchObject({ status: 'success' });
  expect(other.notices).toMatchObject([{ message: 'There is no memory left.' }]);
  expect(failures).toBe(2);
  expect(await spare.shared.execute(request())).toMatchObject({ status: 'success' });
});

test('stops joining an owner that greets and does not answer, or takes its place after a while', async () => {
  await using vault = await temporaryVault();
  const who = { program: 'up', version: '1.0.0', protocol: 1, since: 0 };
  const lease = await takeLease(vault.lease, who);
  if ('heldBy' in lease) throw new Error('held');
  await using _lease = lease;
  const impatient = new AbortController();
  const joining = openProgram(vault, servers, {}, impatient.signal);
  const waiting = openProgram(vault, servers);
  setTimeout(() => impatient.abort(new Error('enough')), 100);
  await expect(joining).rejects.toThrow('enough');
  await using program = await waiting;
  expect(program.shared.role).toBe('own');
  expect(lease.isHeld()).toBe(false);
  expect(await program.shared.execute(request())).toMatchObject({ status: 'success' });
});

test('does not carry the sessions of a program that is gone to the next owner', async () => {
  await using vault = await temporaryVault();
  const owner = await openProgram(vault, servers);
  await using other = await openProgram(vault, servers);
  await owner.shared.execute(request({ sessionId: 'of-the-owner' }));
  await other.shared.execute(request({ sessionId: 'of-the-other' }));
  await vi.waitFor(() => expect(other.shared.sessions.used().size).toBe(2));
  await owner[Symbol.asyncDispose]();
  await vi.waitFor(() => expect(other.shared.role).toBe('own'), { timeout: 5_000 });
  expect([...other.shared.sessions.used().keys()]).toEqual(['of-the-other']);
});
