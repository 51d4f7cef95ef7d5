import { expect, test } from 'vitest';
import { engineRequest } from './engine-request.ts';

const host = process.env.ERRAND_TEST_DOCKER_HOST ?? '';
const image = process.env.ERRAND_TEST_IMAGE ?? '';

test('starts a container whose published port answers on loopback', async () => {
  const program = `require('node:http').createServer((_, response) => response.end(
    process.version + ' ' + require('node:os').tmpdir())).listen(80)`;
  const created = await engineRequest(host, '/containers/create', {
    method: 'POST',
    body: {
      Image: image,
      Cmd: ['node', '--eval', program],
      ExposedPorts: { '80/tcp': {} },
      HostConfig: { PortBindings: { '80/tcp': [{ HostIp: '127.0.0.1', HostPort: '0' }] } },
    },
  });
  expect(created).toMatchObject({ status: 201 });
  const container = `/containers/${JSON.parse(created.text).Id}`;
  try {
    expect(await engineRequest(host, `${container}/start`, { method: 'POST' })).toMatchObject({
      status: 204,
    });
    const { text } = await engineRequest(host, `${container}/json`);
    const [binding] = JSON.parse(text).NetworkSettings.Ports['80/tcp'];
    expect(binding.HostIp).toBe('127.0.0.1');
    expect(await fetchSoon(`http://127.0.0.1:${binding.HostPort}/`)).toBe(
      `${process.version} /tmp`,
    );
  } finally {
    await engineRequest(host, `${container}?force=true`, { method: 'DELETE' });
  }
});

/** The port is open before the program behind it listens. */
async function fetchSoon(url: string, deadline = Date.now() + 30_000): Promise<string> {
  try {
    return await (await fetch(url)).text();
  } catch (error) {
    if (Date.now() > deadline) throw error;
    await new Promise((resolve) => setTimeout(resolve, 20));
    return fetchSoon(url, deadline);
  }
}
