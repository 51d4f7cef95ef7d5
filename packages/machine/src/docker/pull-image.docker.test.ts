import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { ConnectStep } from '@errand/host';
import { afterAll, expect, test } from 'vitest';
import { engineEnv, managedConnector, managedServer, testEngine } from '../testing/docker.ts';
import { LoopbackRegistry } from '../testing/loopback-registry.ts';

const signal = AbortSignal.timeout(120_000);
const folder = mkdtempSync(join(tmpdir(), 'errand-docker-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function connecting(image: string, env: NodeJS.ProcessEnv = {}) {
  const server = managedServer({ image, command: ['serve'] });
  const steps: ConnectStep[] = [];
  const onStep = (step: ConnectStep) => steps.push(step);
  const connector = managedConnector({ ...engineEnv, DOCKER_CONFIG: folder, ...env });
  const failure: unknown = await connector.connect(server, { signal, onStep }).catch((e) => e);
  const wanted = { path: `/images/${image}`, query: { force: 'true' } };
  await testEngine()
    .ask({ method: 'DELETE', ...wanted })
    .catch(() => undefined);
  return { failure, steps };
}

/** The image has been pulled when the engine tries to run a program in it. */
const pulled = { code: 'container_exited', message: expect.stringContaining('no program "serve"') };

test('pulls a missing image with progress, and starts from it', async () => {
  await using registry = await new LoopbackRegistry().start();
  const image = `${registry.host}/small:1`;
  const { failure, steps } = await connecting(image);
  expect(failure).toMatchObject(pulled);
  expect(steps[0]).toEqual({ name: 'start', detail: image });
  expect(steps[1]).toEqual({ name: 'pull', detail: image });
  expect(steps).toContainEqual({ name: 'pull', detail: `${image}: 5 of 5 MB` });
  expect(steps.filter(({ name }) => name !== 'pull').map(({ name }) => name)).toEqual([
    'start',
    'start',
    'handshake',
  ]);
});

test('says why an image cannot be pulled', async () => {
  await using registry = await new LoopbackRegistry().start();
  const unknown = await connecting(`${registry.host}/small:2`);
  expect(unknown.failure).toMatchObject({
    code: 'image_missing',
    message: expect.stringMatching(/needs the image \S+\/small:2, .* manifest/),
    facts: { server: 'boxed', path: 'dockerConfig.image' },
  });
  const unreachable = await connecting('127.0.0.1:1/small:1');
  expect(unreachable.failure).toMatchObject({
    code: 'image_missing',
    message: expect.stringContaining('connection refused'),
  });
});

test('pulls the latest version of an image that names none, not all of them', async () => {
  await using registry = await new LoopbackRegistry().start();
  const { failure } = await connecting(`${registry.host}/small`);
  expect(failure).toMatchObject({ code: 'image_missing' });
  expect(registry.asked).toContain('/v2/small/manifests/latest');
  expect(registry.asked).not.toContain('/v2/small/tags/list');
});

test('uses what docker login stored', async () => {
  await using registry = await new LoopbackRegistry().start();
  registry.login = 'me:pass:word';
  const image = `${registry.host}/small:1`;
  expect((await connecting(image)).failure).toMatchObject({ code: 'image_missing' });
  const auth = Buffer.from('me:pass:word').toString('base64');
  const config = JSON.stringify({ auths: { [registry.host]: { auth } } });
  writeFileSync(join(folder, 'config.json'), config);
  expect((await connecting(image)).failure).toMatchObject(pulled);
});

test('asks the helper program that keeps the login', async () => {
  await using registry = await new LoopbackRegistry().start();
  registry.login = 'helped:secret';
  const helper = join(folder, 'docker-credential-errand-test');
  writeFileSync(
    helper,
    `#!/bin/sh\nread server\n[ "$1 $server" = "get ${registry.host}" ] && echo '{"Username":"helped","Secret":"secret"}'\n`,
  );
  chmodSync(helper, 0o755);
  const config = JSON.stringify({ credHelpers: { [registry.host]: 'errand-test' } });
  writeFileSync(join(folder, 'config.json'), config);
  const PATH = [folder, process.env.PATH].join(delimiter);
  const { failure } = await connecting(`${registry.host}/small:1`, { PATH });
  expect(failure).toMatchObject(pulled);
});

test('stops pulling when it is aborted', async () => {
  await using registry = await new LoopbackRegistry().start();
  registry.isStalled = true;
  const stop = new AbortController();
  registry.onLayer = () => stop.abort();
  const server = managedServer({ image: `${registry.host}/small:1` });
  const attempt = managedConnector().connect(server, { signal: stop.signal });
  await expect(attempt).rejects.toMatchObject({ code: 'cancelled' });
});
