import { join } from 'node:path';
import { scriptedServerConfig } from '@errand/machine/testing';
import { expect, test } from 'vitest';
import { patient, TestVault } from './errand-process.ts';

test(
  'a server is added with a sandbox, called in it, and not started where bwrap is missing',
  patient,
  async () => {
    using vault = new TestVault({ notes: { 'note.md': 'a note' } });
    const { command = '', args = [] } = scriptedServerConfig().localConfig ?? {};
    const program = join(args[0] ?? '', '..');
    const add = ['servers', 'add', 'boxed', '--sandbox', 'bwrap', '--mount', '.'];
    const added = await vault.errand(...add, '--mount', program, '--', command, ...args);
    expect(added).toMatchObject({ code: 0, stdout: 'Added boxed, enabled.\n' });
    expect(added.stderr).toContain(', sandboxed by bwrap (');
    const note = join(vault.folder, 'note.md');
    expect(await vault.errand('call', 'boxed', 'read-file', `path=${note}`)).toMatchObject({
      code: 0,
      stdout: 'a note\n',
    });
    expect(await vault.errand('call', 'boxed', 'write-file', `path=${note}`)).toMatchObject({
      stdout: 'EROFS\n',
    });
    await vault.errand('trust', '--revoke');
    const listed = await vault.errand('trust', '--list');
    expect(listed.stdout).toContain('sandboxed by bwrap: no network, vault read-only');
    Object.assign(vault.env, { PATH: '/nowhere', ERRAND_TRUST: '1' });
    const refused = await vault.errand('call', 'boxed', 'echo', 'text=a');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('apt install bubblewrap');
  },
);
