import { once } from 'node:events';
import { journalled } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { eventually, patient, type RunningProgram, TestVault } from './errand-process.ts';
import { gone, running } from './process-state.ts';

test.concurrent(
  'a killed errand takes a server that honours the end of its input with it',
  patient,
  async () => {
    using vault = TestVault.trusted();
    vault.add(vault.scripted());
    const { pid } = await killInCall(vault);
    await gone(pid, 3000);
  },
);

test.concurrent(
  'what a killed errand left running, and its children, is ended by the next start',
  patient,
  async () => {
    using vault = TestVault.trusted();
    const script = { onEndOfInput: 'ignore', ignoreTerm: true, grandchild: 'session' } as const;
    vault.add(vault.scripted(script), vault.scripted({}, { name: 'other' }));
    const { pid } = await killInCall(vault);
    const child = await journalled(
      vault.journal,
      ({ kind }) => kind === 'grandchild',
      eventually(),
    );
    expect(await running(pid, child.pid)).toEqual([true, true]);

    const { code, json } = await vault.json('call', 'other', 'echo', 'text=again');
    expect({ code, json }).toMatchObject({ code: 0, json: { content: 'again' } });
    expect(await running(pid, child.pid)).toEqual([false, false]);
    expect(vault.settings().mcpServers.map(({ name }) => name)).toEqual(['fix', 'other']);
    expect((await vault.json('history')).json).toMatchObject({ calls: [{ server: 'other' }] });
  },
);

/** Kills errand while a call of its server runs; answers with the server's process. */
async function killInCall(vault: TestVault): Promise<{ readonly pid: number }> {
  using errand: RunningProgram = vault.start('call', 'fix', 'hang');
  const { pid } = await journalled(vault.journal, ({ tool }) => tool === 'hang', eventually());
  errand.child.kill('SIGKILL');
  await once(errand.child, 'exit');
  return { pid };
}
