import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

// In a process of its own: the native module connects once and remembers.
test.runIf(process.platform === 'linux')('is not there when no keychain answers', async () => {
  const module = new URL('./keychain.ts', import.meta.url).href;
  const program = `
    import { openKeychain } from ${JSON.stringify(module)};
    console.log(await openKeychain());`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', program],
    { env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' } },
  );
  expect(stdout).toBe('undefined\n');
});
