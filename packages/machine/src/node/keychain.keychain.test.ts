import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { secretStoreContract } from '@errand/host/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openKeychain } from './keychain.ts';

let session: Awaited<ReturnType<typeof startKeyring>>;
const before = process.env.DBUS_SESSION_BUS_ADDRESS;

beforeAll(async () => {
  session = await startKeyring();
  process.env.DBUS_SESSION_BUS_ADDRESS = session.address;
});

afterAll(() => session[Symbol.asyncDispose]());

for (const [index, [name, holds]] of Object.entries(secretStoreContract).entries()) {
  test(name, async () => {
    const store = await openKeychain(`errand-test-${index}`);
    if (store === undefined) throw new Error('The keyring does not answer.');
    await holds(store);
  });
}

test('keeps services apart', async () => {
  await (await openKeychain('errand-test-a'))?.set('token', 'value');
  expect(await (await openKeychain('errand-test-b'))?.get('token')).toBeUndefined();
});

/** A session of its own with an unlocked, empty keyring; it ends when its input does. */
async function startKeyring() {
  const home = await temporaryFolder();
  const script = `exec dbus-run-session -- sh -c '
    printf pass | gnome-keyring-daemon --unlock --components=secrets >/dev/null
    echo "$DBUS_SESSION_BUS_ADDRESS"
    read -r end'`;
  const child = spawn('sh', ['-c', script], {
    env: { ...process.env, HOME: home.path, XDG_DATA_HOME: home.path, XDG_RUNTIME_DIR: home.path },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  const [address] = await once(child.stdout, 'data');
  return {
    address: String(address).trim(),
    async [Symbol.asyncDispose]() {
      if (before === undefined) delete process.env.DBUS_SESSION_BUS_ADDRESS;
      else process.env.DBUS_SESSION_BUS_ADDRESS = before;
      child.stdin.end();
      await ended;
      await home[Symbol.asyncDispose]();
    },
  };
}
