import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerConfig } from '@errand/host';
import { ManualClock } from '@errand/host/testing';
import { expect, test, vi } from 'vitest';
import {
  containersOf,
  engineEnv,
  managedConnector,
  scriptedContainer,
  testEngine,
  testImage,
} from '../testing/docker.ts';
import { hostLabel } from './container-labels.ts';
import { keepReaping, reapContainers } from './reap-containers.ts';

const signal = AbortSignal.timeout(120_000);
// Only force ends it: neither the end of its input nor TERM.
const stubborn = { onEndOfInput: 'ignore', ignoreTerm: true } as const;

test('removes what a killed host left running, and nothing else', async () => {
  const mine = scriptedContainer();
  const theirs = scriptedContainer(stubborn);
  await using connection = await managedConnector().connect(mine, { signal });
  await using foreign = await foreignContainer({ [hostLabel]: 'another-machine 1 1' });
  await using plain = await foreignContainer({});
  await killHostOf(theirs);
  expect(await containersOf(theirs)).toMatchObject([{ State: 'running' }]);

  const name = theirs.dockerConfig?.containerName;
  expect(await reapContainers(engineEnv)).toEqual([name]);
  expect(await containersOf(theirs)).toEqual([]);
  await connection.ping(signal);
  expect(await foreign.isThere()).toBe(true);
  expect(await plain.isThere()).toBe(true);
});

test('takes over the name that a killed host left taken', async () => {
  const server = scriptedContainer(stubborn);
  await killHostOf(server);
  await using connection = await managedConnector().connect(server, { signal });
  await connection.ping(signal);
  const names = (await containersOf(server)).map(({ Names }) => Names[0]);
  expect(names).toEqual([`/${server.dockerConfig?.containerName}`]);
});

test('lets a server that honours the end of its input exit with its killed host', async () => {
  const server = scriptedContainer();
  await killHostOf(server);
  const [container] = await containersOf(server);
  await testEngine().ask({ method: 'POST', path: `/containers/${container?.Id}/wait` });
  expect(await reapContainers(engineEnv)).toContain(server.dockerConfig?.containerName);
});

test('looks again every ten minutes, also when there was no engine', async () => {
  const clock = new ManualClock();
  const stop = new AbortController();
  const absent = { DOCKER_HOST: 'unix:///nowhere/docker.sock' };
  const env: NodeJS.ProcessEnv = { ...absent };
  const reaping = keepReaping(env, clock, stop.signal);
  await vi.waitFor(() => expect(clock.sleepers).toBe(1));
  const server = scriptedContainer(stubborn);
  await killHostOf(server);
  Object.assign(env, engineEnv);
  await clock.advance(10 * 60 * 1000);
  await vi.waitFor(() => expect(clock.sleepers).toBe(1), { timeout: 10_000 });
  expect(await containersOf(server)).toEqual([]);
  stop.abort();
  await reaping;
});

/** Another process connects to the server and is killed. */
async function killHostOf(server: ServerConfig): Promise<void> {
  const script = `
    import { managedConnector } from ${JSON.stringify(import.meta.resolve('../testing/docker.ts'))};
    const signal = AbortSignal.timeout(60_000);
    await managedConnector().connect(${JSON.stringify(server)}, { signal });
    console.log('connected');
    setInterval(() => {}, 1000);`;
  const host: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (host.stdout === null) throw new Error('no output');
  await once(host.stdout, 'data');
  host.kill('SIGKILL');
  await once(host, 'close');
}

async function foreignContainer(labels: Readonly<Record<string, string>>) {
  const engine = testEngine();
  const { Id } = await engine.ask<{ Id: string }>({
    method: 'POST',
    path: '/containers/create',
    body: { Image: testImage, Cmd: ['node'], Labels: labels },
  });
  const path = `/containers/${Id}`;
  return {
    isThere: () =>
      engine.ask({ method: 'GET', path: `${path}/json` }).then(
        () => true,
        () => false,
      ),
    [Symbol.asyncDispose]: () => engine.ask<void>({ method: 'DELETE', path }),
  };
}
