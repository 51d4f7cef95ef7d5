import { readJournal } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { patient, TestVault } from './errand-process.ts';

const note = '# A\n\n```fix\ntool: echo\ntext: hello\n```\n';

test('starts nothing of a foreign vault until a person approves it', patient, async () => {
  using vault = new TestVault({ notes: { 'Note.md': note } });
  vault.add(vault.scripted());
  const refused = await vault.errand('call', 'fix', 'echo', 'text=hello');
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toMatch(
    /^Server "fix" came with this vault and nobody on this machine has agreed to it\. It would run .+node.* .+\. Look at it and agree with: errand trust\n$/,
  );
  const run = await vault.errand('run', 'Note.md', '--json');
  expect({ ...run, stdout: JSON.parse(run.stdout) }).toMatchObject({
    code: 2,
    stdout: { changed: false, results: [{ status: 'refused', error: { code: 'untrusted' } }] },
    stderr: '',
  });
  expect(vault.read('Note.md')).toBe(note);
  for (const args of [
    ['tools', 'fix'],
    ['servers', 'test', 'fix'],
    ['servers', 'edit', 'fix', '--env', 'A=1'],
  ]) {
    expect(await vault.errand(...args), args.join(' ')).toMatchObject({ code: 2 });
  }
  expect(await vault.json('servers')).toMatchObject({
    code: 0,
    json: { servers: [{ connectionState: 'error', problem: { code: 'untrusted' } }] },
  });
  expect(readJournal(vault.journal)).toEqual([]);
});

test(
  'remembers an approval, asks again for a changed command, and lets it be revoked',
  patient,
  async () => {
    using vault = new TestVault({});
    vault.add(vault.scripted());
    const asked = await vault.errand('trust');
    expect(asked).toMatchObject({ code: 2, stdout: expect.stringContaining('runs ') });
    expect(asked.stderr).toBe('Nothing was approved. Approve it with: errand trust --yes\n');
    expect(await vault.errand('trust', '--yes')).toMatchObject({ code: 0 });
    expect(await vault.errand('call', 'fix', 'echo', 'text=yes')).toMatchObject({
      stdout: 'yes\n',
    });

    const [server] = vault.settings().mcpServers;
    vault.writeSettings(JSON.stringify({ version: 1, mcpServers: [] }));
    if (server) vault.add({ ...server, localConfig: { command: 'node', args: ['-e', '1'] } });
    const changed = await vault.errand('call', 'fix', 'echo', 'text=yes');
    expect(changed.code).toBe(2);
    expect(changed.stderr).toContain('was changed since somebody on this machine agreed to it');
    expect(await vault.json('trust', '--list')).toMatchObject({
      code: 0,
      json: { servers: [{ name: 'fix', verdict: 'changed' }] },
    });

    await vault.errand('trust', '--yes');
    expect((await vault.json('trust', '--list')).json).toMatchObject({
      servers: [{ verdict: 'trusted' }],
    });
    expect(await vault.json('trust', '--revoke')).toMatchObject({
      code: 0,
      json: { servers: [{ verdict: 'new' }] },
    });

    vault.add(vault.scripted({}, { name: 'other' }));
    expect(await vault.json('trust', 'OTHER', '--yes')).toMatchObject({
      code: 0,
      json: { servers: [{ name: 'other', verdict: 'trusted' }], assistants: [] },
    });
    const verdicts = { servers: [{ name: 'fix', verdict: 'new' }, { verdict: 'trusted' }] };
    expect((await vault.json('trust', '--list')).json).toMatchObject(verdicts);
    await vault.errand('trust', '--yes');
    await vault.errand('trust', '--revoke', 'fix');
    expect((await vault.json('trust', '--list')).json).toMatchObject(verdicts);
    expect(await vault.errand('trust', 'nobody')).toMatchObject({ code: 2 });
  },
);

test('--trust and ERRAND_TRUST=1 approve for one run only', patient, async () => {
  using vault = new TestVault({});
  vault.add(vault.scripted());
  const call = ['call', 'fix', 'echo', 'text=once'];
  expect(await vault.errand(...call, '--trust')).toMatchObject({ code: 0, stdout: 'once\n' });
  expect(await vault.errand(...call)).toMatchObject({ code: 2 });
  vault.env.ERRAND_TRUST = '1';
  expect(await vault.errand(...call)).toMatchObject({ code: 0, stdout: 'once\n' });
  delete vault.env.ERRAND_TRUST;
  expect(await vault.errand(...call)).toMatchObject({ code: 2 });
});

test('asks a person on a terminal, and does not take Ctrl-C for approval', patient, async () => {
  using vault = new TestVault({});
  vault.add(vault.scripted());
  using cancelled = vault.startOnTerminal('errand trust');
  await cancelled.says(/start them on this machine\? \[y\/N\]/);
  cancelled.type('\u0003');
  expect(await cancelled.ended).toMatchObject({ code: 130 });
  expect((await vault.json('trust', '--list')).json).toMatchObject({
    servers: [{ verdict: 'new' }],
  });
  using agreed = vault.startOnTerminal('errand trust');
  await agreed.says(/\[y\/N\]/);
  agreed.type('y\r');
  expect(await agreed.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('Agreed.') });
  expect((await vault.json('trust', '--list')).json).toMatchObject({
    servers: [{ verdict: 'trusted' }],
  });
});
