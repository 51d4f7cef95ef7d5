import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { TestEngine, textOf } from './testing/container.ts';
import { vaultFolder } from './testing/vault-folder.ts';

const folder = join(import.meta.dirname, '..');
const tag = `errand-vault-test:${process.pid}`;

test('builds into an image and serves a mounted vault from a container', async () => {
  const engine = new TestEngine(process.env.ERRAND_TEST_DOCKER_HOST ?? '');
  if (!existsSync(join(folder, 'dist/index-worker.js'))) {
    execFileSync('npm', ['run', 'build'], { cwd: join(folder, '../..'), stdio: 'ignore' });
  }
  expect(await engine.build(folder, tag, process.env.ERRAND_TEST_IMAGE ?? '')).toContain(
    'Successfully tagged',
  );
  onTestFinished(() => engine.removeImage(tag));

  const vault = vaultFolder({ 'n.md': 'from outside' });
  for (const path of [dirname(vault), vault]) chmodSync(path, 0o777);
  const { id, stream } = await engine.run({
    Image: tag,
    HostConfig: { Binds: [`${vault}:/vault`] },
  });
  onTestFinished(() => engine.remove(id));

  const answers = new Map<number, Record<string, unknown>>();
  const send = (message: object) =>
    stream.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const call = (id: number, name: string, input: object) =>
    send({ id, method: 'tools/call', params: { name, arguments: input } });
  send({
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'vault-test', version: '0.0.0' },
    },
  });
  let text = '';
  for await (const piece of textOf(stream)) {
    text += piece;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      const { id: answered, result } = JSON.parse(text.slice(0, end));
      text = text.slice(end + 1);
      answers.set(answered, result?.structuredContent ?? result);
      if (answered === 1) {
        send({ method: 'notifications/initialized' });
        call(2, 'write_note', { path: 'made.md', frontmatter: { by: 'container' }, body: 'hello' });
      }
      if (answered === 2) call(3, 'search_notes', { query: 'outside' });
      if (answered === 3) call(4, 'health_check', {});
      if (answered === 4) stream.end();
    }
  }
  expect(answers.get(2)).toMatchObject({ path: 'made.md', created: true });
  expect(readFileSync(join(vault, 'made.md'), 'utf8')).toBe('---\nby: container\n---\nhello');
  expect(answers.get(3)).toMatchObject({ notes: [{ path: 'n.md' }] });
  expect(answers.get(4)).toMatchObject({ status: 'healthy', vault_path: '/vault', note_count: 2 });
  expect(await engine.wait(id)).toBe(0);
}, 120_000);
