import { journalled } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { eventually, patient, type RunningProgram, TestVault } from './errand-process.ts';
import { gone, running } from './process-state.ts';

/** Neither the end of its input nor TERM ends it, and it has a child of the same kind. */
const stubborn = { onEndOfInput: 'ignore', ignoreTerm: true, grandchild: 'session' } as const;

test.concurrent.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s cancels the call at the server, ends every process and exits with 130',
  patient,
  async (signal) => {
    using vault = TestVault.trusted();
    vault.add(vault.scripted(stubborn));
    const { errand, pids } = await startCall(vault, (v) =>
      v.start('call', 'fix', 'hang', '--json'),
    );
    errand.child.kill(signal);
    const { code, stdout } = await errand.ended;
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({
      code: 130,
      status: 'cancelled',
      error: { code: 'cancelled', message: 'Execution cancelled' },
    });
    await journalled(vault.journal, ({ kind }) => kind === 'cancelled', eventually());
    expect(await running(...pids)).toEqual([false, false]);
  },
);

test.concurrent('a terminal that is closed ends every process', patient, async () => {
  using vault = TestVault.trusted();
  vault.add(vault.scripted(stubborn));
  const { errand, pids } = await startCall(vault, (v) => v.startOnTerminal('errand call fix hang'));
  errand.child.kill('SIGKILL');
  await Promise.all(pids.map((pid) => gone(pid, 10_000)));
});

test.concurrent('an uncaught error ends every process, and says so', patient, async () => {
  using vault = TestVault.trusted();
  vault.add(vault.scripted(stubborn));
  const fault = `process.on('SIGUSR2', () => { throw new Error('a defect') })`;
  vault.env.NODE_OPTIONS = `--import "data:text/javascript,${encodeURIComponent(fault)}"`;
  const { errand, pids } = await startCall(vault, (v) => v.start('call', 'fix', 'hang'));
  errand.child.kill('SIGUSR2');
  const { code, stderr } = await errand.ended;
  expect(stderr).toContain('Errand failed unexpectedly. Please report this:');
  expect(stderr).toContain('Error: a defect');
  expect(code).toBe(1);
  expect(await running(...pids)).toEqual([false, false]);
});

test.concurrent(
  'the gateway ends every process after an uncaught error, also when more of them follow',
  patient,
  async () => {
    using vault = TestVault.trusted();
    vault.add(vault.scripted(stubborn));
    const fault = `process.on('SIGUSR2', () => {
      setImmediate(() => { throw new Error('a second defect') });
      Promise.reject({ toString: null });
      throw new Error('a defect');
    })`;
    vault.env.NODE_OPTIONS = `--import "data:text/javascript,${encodeURIComponent(fault)}"`;
    using errand = vault.start('gateway', '--port', '0', '--json');
    const kinds = ['started', 'grandchild'] as const;
    const lines = kinds.map((wanted) =>
      journalled(vault.journal, ({ kind }) => kind === wanted, eventually()),
    );
    const pids = (await Promise.all(lines)).map(({ pid }) => pid);
    await errand.says(/"url"/);
    errand.child.kill('SIGUSR2');
    const { code, stderr } = await errand.ended;
    expect(stderr).toContain('Error: a defect');
    expect(stderr).toContain('Error: a second defect');
    expect(code).toBe(1);
    expect(await running(...pids)).toEqual([false, false]);
  },
);

test.concurrent(
  'a cancelled run leaves the note as it was and exits with 130',
  patient,
  async () => {
    const note = '# A\n\n```fix\ntool: hang\n```\n';
    using vault = TestVault.trusted({ notes: { 'Note.md': note } });
    vault.add(vault.scripted(), vault.scripted({}, { name: 'other' }));
    using errand = vault.start('run', 'Note.md', '--json');
    await journalled(vault.journal, ({ tool }) => tool === 'hang', eventually());
    errand.child.kill('SIGINT');
    const { code, stdout } = await errand.ended;
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({
      code: 130,
      changed: false,
      results: [{ status: 'cancelled', written: false }],
    });
    expect(vault.read('Note.md')).toBe(note);
  },
);

async function startCall(
  vault: TestVault,
  start: (vault: TestVault) => RunningProgram,
): Promise<{ readonly errand: RunningProgram; readonly pids: readonly number[] }> {
  const errand = start(vault);
  const server = await journalled(vault.journal, ({ tool }) => tool === 'hang', eventually());
  const child = await journalled(vault.journal, ({ kind }) => kind === 'grandchild', eventually());
  return { errand, pids: [server.pid, child.pid] };
}
