import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Ended, run } from './errand-process.ts';
import { newDatabase } from './new-database.ts';

const root = join(import.meta.dirname, '../..');
const example = join(root, 'examples/team');
const env = {
  ...process.env,
  DOCKER_HOST: process.env.ERRAND_TEST_DOCKER_HOST ?? '',
  DOCKER_BUILDKIT: '0',
};
const docker = (...args: readonly string[]): Promise<Ended> =>
  run('docker', args, { folder: root, env });

test('the image of the example runs as its compose file says: without root, with a vault that cannot be written', {
  timeout: 180_000,
}, async () => {
  const tag = `errand-team:${process.pid}`;
  const base = `BASE_IMAGE=${process.env.ERRAND_TEST_IMAGE}`;
  const dockerfile = join(example, 'Dockerfile');
  const context = join(root, 'apps/cli');
  const built = await docker('build', '--build-arg', base, '-t', tag, '-f', dockerfile, context);
  expect(built).toMatchObject({ code: 0 });
  onTestFinished(() => void docker('rmi', '-f', tag));
  const errand = (...args: readonly string[]) =>
    docker('run', '--rm', '-v', `${example}/vault:/vault:ro`, '--network', 'host', tag, ...args);
  const database = ['--database', await newDatabase('image')];
  const added = await errand('gateway', 'clients', 'add', 'me', ...database);
  expect([added.code, added.stdout]).toEqual([0, expect.stringMatching(/^egw_\S+\n$/)]);
  const gateway = ['gateway', '--replica', ...database, '--vault', '/vault', '--json'];
  const listening = ['--host', '127.0.0.1', '--port', '0'];
  const vault = ['-v', `${example}/vault:/vault:ro`, '--network', 'host'];
  const { stdout: id } = await docker('run', '-d', ...vault, tag, ...gateway, ...listening);
  onTestFinished(() => void docker('rm', '-f', id.trim()));
  const logs = async () => (await docker('logs', id.trim())).stdout;
  await expect.poll(logs).toMatch(/"url":/);
  const ask = `fetch(${JSON.stringify(/http:[^"]+/.exec(await logs())?.[0])},{method:'POST',headers:{authorization:'Bearer ${added.stdout.trim()}','content-type':'application/json'},body:JSON.stringify({jsonrpc:'2.0',id:1,method:'initialize',params:{protocolVersion:'2025-11-25',capabilities:{},clientInfo:{name:'t',version:'1'}}})}).then((r)=>console.log(r.status))`;
  expect(await docker('exec', id.trim(), '/usr/local/bin/node', '-e', ask)).toMatchObject({
    stdout: '200\n',
  });
  await docker('stop', '--time', '30', id.trim());
  const state = await docker('inspect', '--format', '{{.State.ExitCode}}', id.trim());
  expect(state.stdout.trim()).toBe('0');
});
