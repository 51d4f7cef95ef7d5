import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { journalled, readJournal } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { programVault, scriptedEntry } from './testing/start-program.ts';

const command = { program: 'command', owns: 'never' } as const;
const question = {
  method: 'elicitation/create',
  params: {
    message: 'Who?',
    requestedSchema: { type: 'object', properties: { by: { type: 'string' } } },
  },
};
const ask = (id: string) => ({ id, toolName: 'ask', parameters: question });

test('what a server asks goes to the program that made the call, never to the owner', async () => {
  await using vault = await programVault();
  const owner = vault.start({ elicits: { accept: 'owner' } });
  await owner.ready;
  const face = vault.start({ ...command, elicits: { accept: 'face' } });
  const mute = vault.start(command);
  expect((await face.call(ask('a'))).content).toContain('"by":"face"');
  expect((await mute.call(ask('b'))).content).toContain('"action":"decline"');
  expect((await owner.call(ask('c'))).content).toContain('"by":"owner"');
  expect((await owner.tell({ do: 'seen' })).questions).toHaveLength(1);
  expect((await face.tell({ do: 'seen' })).questions).toHaveLength(1);
});

test('a question that may be of either of two programs is declined', async () => {
  await using vault = await programVault();
  const owner = vault.start({ elicits: { accept: 'owner' } });
  await owner.ready;
  const one = vault.start({ ...command, elicits: { accept: 'one' } });
  const two = vault.start({ ...command, elicits: { accept: 'two' } });
  await Promise.all([one.ready, two.ready]);
  const hanging = one.call({ id: 'a', toolName: 'hang' });
  await journalled(vault.journal, ({ tool }) => tool === 'hang', AbortSignal.timeout(20_000));
  expect((await two.call(ask('b'))).content).toContain('"action":"decline"');
  await one.tell({ do: 'abort', call: 'a' });
  expect(await hanging).toMatchObject({ status: 'cancelled' });
  expect((await two.call(ask('c'))).content).toContain('"by":"two"');
  expect((await owner.tell({ do: 'seen' })).questions).toEqual([]);
});

test('a call ends with the program that was asked, and harms nobody', async () => {
  await using vault = await programVault();
  const owner = vault.start();
  await owner.ready;
  const asked = vault.start({ ...command, elicits: 'never' });
  const approving = vault.start(command);
  await Promise.all([asked.ready, approving.ready]);
  for (const [program, call] of [
    [asked, ask('a')],
    [approving, { id: 'b', toolName: 'write', approves: 'never' as const }],
  ] as const) {
    const ended = program.call(call).catch(() => 'ended');
    await expect.poll(() => program.tell({ do: 'seen' })).toMatchObject({ questions: [{}] });
    await program.kill();
    expect(await ended).toBe('ended');
    await expect.poll(() => owner.tell({ do: 'tracker' })).toMatchObject({ calls: 0 });
  }
  expect(readJournal(vault.journal).filter(({ tool }) => tool === 'write')).toEqual([]);
  expect(await owner.call({ id: 'c', toolName: 'write' })).toMatchObject({ status: 'success' });
  expect(await owner.tell({ do: 'seen' })).toMatchObject({ faults: [], notices: [] });
});

test('approval and types are asked of the program that made the call', async () => {
  await using vault = await programVault();
  const owner = vault.start();
  await owner.ready;
  const face = vault.start(command);
  const call = (id: string, approves: 'yes' | 'no') =>
    face.call({ id, toolName: 'echo', approves, types: { text: 'typed' } });
  expect(await call('a', 'yes')).toMatchObject({ status: 'success', content: 'typed' });
  expect(await call('b', 'no')).toMatchObject({ error: { code: 'approval_denied' } });
  expect((await face.tell({ do: 'seen' })).questions).toEqual([{ approve: 'a' }, { approve: 'b' }]);
  expect((await owner.tell({ do: 'seen' })).questions).toEqual([]);
  expect(readJournal(vault.journal).filter(({ tool }) => tool === 'echo')).toHaveLength(1);
});

test('a secret that the owner lacks comes from an attached program, and is kept out of the log', async () => {
  await using vault = await programVault({}, { logParameters: true });
  const secret = 'correct-horse-battery';
  const reference = `$${'{secret:token}'}`;
  const { localConfig, ...entry } = scriptedEntry({ journal: vault.journal });
  if (localConfig === undefined) throw new Error('no program');
  const asking = { ...entry, localConfig: { ...localConfig, env: { TOKEN: reference } } };
  await vault.writeSettings(vault.settingsWith(asking));
  const owner = vault.start();
  await owner.ready;
  const stopped = vault.start();
  await stopped.ready;
  stopped.signal('SIGSTOP');
  const face = vault.start({ ...command, secrets: { token: secret } });
  await face.ready;
  const { content } = await face.call({ id: 'a', toolName: 'environment' });
  expect(JSON.parse(content ?? '{}')).toMatchObject({ env: { TOKEN: secret } });
  const echoed = await face.call({
    id: 'b',
    toolName: 'echo',
    parameters: { text: `x ${secret}` },
  });
  expect(echoed.content).toContain(secret);
  stopped.signal('SIGCONT');
  const log = async () => {
    const entries = await readdir(vault.vault, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && entry.name !== 'settings.json');
    const texts = files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8'));
    return (await Promise.all(texts)).join('\n');
  };
  await owner.tell({ do: 'dispose' });
  await owner.exited;
  expect(await log()).toContain(reference);
  expect(await log()).not.toContain(secret);
});
