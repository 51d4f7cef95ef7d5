import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../end-to-end/errand-process.ts';

const root = join(import.meta.dirname, '../..');
const servers = globSync('servers/*/Dockerfile', { cwd: root }).map((path) => join(path, '..'));
const env = {
  ...process.env,
  DOCKER_HOST: process.env.ERRAND_TEST_DOCKER_HOST ?? '',
  // The other builder is a plug-in that not every client has.
  DOCKER_BUILDKIT: '0',
};

test('every server has an image', () => {
  expect(servers.toSorted()).toEqual(globSync('servers/*', { cwd: root }).toSorted());
});

test.each(servers)(
  '%s answers from its image as any user, on a root that cannot be written, and ends on TERM',
  { timeout: 180_000 },
  async (server) => {
    const tag = `errand-${basename(server)}-release:${process.pid}`;
    const base = `BASE_IMAGE=${process.env.ERRAND_TEST_IMAGE}`;
    await docker('build', '--build-arg', base, '-t', tag, join(root, server));
    onTestFinished(() => void docker('rmi', '-f', tag).catch(() => {}));
    const notes = mkdtempSync(join(tmpdir(), 'errand-image-'));
    onTestFinished(() => rmSync(notes, { recursive: true, force: true }));
    chmodSync(notes, 0o777);
    writeFileSync(join(notes, 'Tea.md'), 'Green.\n');
    const harmless = [
      '--user',
      '4711:4711',
      '--read-only',
      '--cap-drop',
      'ALL',
      '--network',
      'none',
    ];
    const mounts = ['-v', `${notes}:/vault`, '--tmpfs', '/state:mode=1777'];

    const client = new Client({ name: 'release', version: '1.0.0' });
    const args = ['run', '-i', '--rm', ...harmless, ...mounts, tag];
    await client.connect(
      new StdioClientTransport({ command: 'docker', args, env: strings(), stderr: 'ignore' }),
    );
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('health_check');
    expect(await client.callTool({ name: 'health_check', arguments: {} })).toMatchObject({
      structuredContent: { status: expect.stringMatching(/^(healthy|degraded)$/) },
    });
    await client.close();

    const id = await docker('run', '-d', ...harmless, ...mounts, tag, '--http', '3000');
    onTestFinished(() => void docker('rm', '-f', id).catch(() => {}));
    const ask =
      "fetch('http://127.0.0.1:3000/health').then(async (r) => console.log(r.status, await r.text()))";
    await expect
      .poll(() => docker('exec', id, '/usr/local/bin/node', '-e', ask).catch(String))
      .toMatch(/^(200|503) \{/);
    // Two seconds later it would be killed, and its exit code 137.
    await docker('stop', '--time', '2', id);
    expect(await docker('inspect', '--format', '{{.State.ExitCode}}', id)).toBe('0');
    expect(readFileSync(join(notes, 'Tea.md'), 'utf8')).toBe('Green.\n');
  },
);

async function docker(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run('docker', args, { folder: root, env });
  if (code !== 0) throw new Error(`docker ${args[0]}: ${stderr}`);
  return stdout.trim();
}

function strings(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
