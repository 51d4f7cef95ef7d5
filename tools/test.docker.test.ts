import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { enginePaths } from './provision/engine-paths.ts';
import { identifyProcess, isRunning } from './provision/process-identity.ts';
import { ScratchProject } from './provision/scratch-project.ts';

// Says who it is and never ends.
const endless = `test('waits', () => {
  expect(process.env.ERRAND_TEST_DOCKER_HOST).toMatch(/^unix:/);
  console.log('worker ' + process.pid + '.');
  return new Promise(() => setInterval(() => {}, 1000));
}, 60_000);`;

describe.runIf(process.getuid?.() === 0)('an interrupted run', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)(
    'stops the engine and its workers after %s',
    async (signal, expected) => {
      await using project = new ScratchProject({ 'endless.docker.test.ts': endless });
      const place = enginePaths(project.folder);
      const { child, done } = project.test(['--reporter=verbose']);
      const worker = identifyProcess(await workerOf(child.stdout));
      expect(worker).toBeDefined();
      expect(existsSync(place.socketPath)).toBe(true);

      child.kill(signal);
      const { code, output } = await done;
      expect(output).toContain(`Interrupted by ${signal}`);
      expect(code).toBe(expected);
      expect(existsSync(place.runFolder)).toBe(false);
      expect(existsSync(join(project.folder, '.cache', 'docker', 'data'))).toBe(true);
      expect(worker !== undefined && isRunning(worker)).toBe(false);
    },
    60_000,
  );
});

function workerOf(output: NodeJS.ReadableStream | null): Promise<number> {
  return new Promise((resolve) => {
    output?.on('data', (chunk) => {
      const [, pid] = /worker (\d+)\./.exec(String(chunk)) ?? [];
      if (pid !== undefined) resolve(Number(pid));
    });
  });
}
