import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readProgram } from './run-program.ts';

test('keeps a secret in a keyring of its own session', async () => {
  const home = mkdtempSync(join(tmpdir(), 'errand-keyring-'));
  const script = `
    printf pass | gnome-keyring-daemon --unlock --components=secrets >"$HOME/log" 2>&1
    printf 'not a secret' | secret-tool store --label=errand-test errand test
    secret-tool lookup errand test`;
  try {
    const command = ['dbus-run-session', '--', 'sh', '-c', script];
    const environment = [`HOME=${home}`, `XDG_DATA_HOME=${home}`, `XDG_RUNTIME_DIR=${home}`];
    expect(await readProgram('env', [...environment, ...command])).toBe('not a secret');
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
