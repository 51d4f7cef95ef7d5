import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ServerConfig } from '@errand/host';
import { localServer } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { resolveProgram } from './own-programs.ts';

const started = (localConfig: NonNullable<ServerConfig['localConfig']>) =>
  resolveProgram({ ...localServer('vault'), localConfig }).localConfig;

test('a server of ours is started from where it was installed, and in a sandbox that shows it', () => {
  const entry = { command: 'errand-vault', args: ['--vault', '.'] };
  expect(started(entry)).toEqual({
    command: process.execPath,
    args: [expect.stringMatching(/vault\/bin\/errand-vault\.cjs$/), '--vault', '.'],
  });
  const sandbox = { kind: 'bwrap', mounts: [{ source: '.' }] } as const;
  const { args, ...inside } = started({ ...entry, sandbox }) ?? {};
  const [program = ''] = args ?? [];
  // Built programs are whole; sources load packages of the checkout.
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const folder = program.endsWith('/src/main.ts') ? resolve(root) : dirname(dirname(program));
  expect(existsSync(program)).toBe(true);
  expect(inside).toEqual({
    command: process.execPath,
    sandbox: { kind: 'bwrap', mounts: [{ source: '.' }, { source: folder }] },
  });
  const other = { command: 'npx', args: ['x'] };
  expect(started(other)).toBe(other);
});
