import { journalled, soon } from '@errand/host/testing';
import { expect, test } from 'vitest';
import { patient, type RunningProgram, TestVault } from './errand-process.ts';
import { gone } from './process-state.ts';

test(
  'errand serve prints one link, serves the vault behind it, and leaves nothing at Ctrl-C',
  patient,
  async () => {
    using vault = TestVault.trusted();
    vault.add(vault.scripted());
    using errand = vault.start('serve', '--port', '0', '--json');
    const { url, gatewayUrl } = await lineOf(errand);
    expect(errand.stdout.trim().split('\n')).toHaveLength(1);
    expect(gatewayUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    const state = await get(url, '/api/state');
    expect(state).toMatchObject({ servers: [{ name: 'fix', trust: 'trusted' }] });
    const { pid } = await journalled(vault.journal, ({ kind }) => kind === 'started', soon());
    errand.child.kill('SIGINT');
    expect(await errand.ended).toMatchObject({ code: 0 });
    await gone(pid, 10_000);
  },
);

test('a page goes on after a restart: the link of a vault stays the same', patient, async () => {
  using vault = new TestVault();
  using first = vault.start('serve', '--port', '0', '--json');
  const { url } = await lineOf(first);
  first.child.kill('SIGTERM');
  await first.ended;
  using second = vault.start('serve', '--port', new URL(url).port, '--json');
  expect((await lineOf(second)).url).toBe(url);
  expect(await get(url, '/api/notes')).toMatchObject({ isCut: false });
  second.child.kill('SIGTERM');
  await second.ended;
});

test('a port that is taken is named, and another can be chosen', patient, async () => {
  using vault = new TestVault();
  using first = vault.start('serve', '--port', '0', '--json');
  const { port } = new URL((await lineOf(first)).url);
  const ended = await vault.errand('serve', '--port', port);
  expect(ended.code).not.toBe(0);
  expect(ended.stderr).toContain(`Port ${port} is already in use`);
  first.child.kill('SIGTERM');
  await first.ended;
});

async function lineOf(errand: RunningProgram): Promise<{ url: string; gatewayUrl: string }> {
  await errand.says(/"url".*\n/);
  return JSON.parse(errand.stdout);
}

async function get(link: string, path: string): Promise<unknown> {
  const opened = await fetch(link);
  const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const answer = await fetch(new URL(path, link), { headers: { cookie } });
  return answer.json();
}
