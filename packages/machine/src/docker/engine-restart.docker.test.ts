import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import {
  containersOf,
  managedConnector,
  repositoryFolder,
  scriptedContainer,
} from '../testing/docker.ts';

const signal = AbortSignal.timeout(120_000);

describe.runIf(process.getuid?.() === 0)('an engine that is restarted', () => {
  test('is noticed, and serves again with nothing left of before', async () => {
    await using engine = await ownEngine();
    const connector = managedConnector(engine.env);
    const server = scriptedContainer({}, { image: engine.image });
    await using connection = await connector.connect(server, { signal });
    const call = connection.callTool({ tool: 'hang', arguments: {} }, { signal });
    const lost = expect(call).rejects.toMatchObject({
      code: expect.stringMatching(/^(docker_unavailable|container_exited)$/),
    });

    await engine.tell('stop');
    await lost;
    await expect(connector.connect(server, { signal })).rejects.toMatchObject({
      code: 'docker_unavailable',
      message: expect.stringContaining('No Docker engine answers at'),
    });
    await connection[Symbol.asyncDispose]();

    await engine.tell('start');
    expect(await containersOf(server, engine.env)).toMatchObject([{ State: 'exited' }]);
    {
      await using again = await connector.connect(server, { signal });
      await again.ping(signal);
      const names = (await containersOf(server, engine.env)).map(({ Names }) => Names[0]);
      expect(names).toEqual([`/${server.dockerConfig?.containerName}`]);
    }
    expect(await containersOf(server, engine.env)).toEqual([]);
  }, 120_000);
});

/** A process holds the engine, so that it can be stopped without disturbing other tests. */
async function ownEngine() {
  const folder = mkdtempSync(join(tmpdir(), 'errand-restart-'));
  const program = repositoryFolder('tools/hold-engine.ts');
  const holder = spawn(process.execPath, [program, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: holder.stdout })[Symbol.asyncIterator]();
  const { host, image } = JSON.parse((await lines.next()).value ?? '{}');
  return {
    env: { DOCKER_HOST: host as string },
    image: image as string,
    async tell(what: 'stop' | 'start') {
      holder.stdin.write(`${what}\n`);
      expect((await lines.next()).value).toBe(what);
    },
    async [Symbol.asyncDispose]() {
      holder.stdin.end();
      await once(holder, 'close');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
