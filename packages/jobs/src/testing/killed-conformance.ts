import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectedTrace, killPoints } from './kill-points.ts';
import { scratch } from './scratch.ts';

/** What every engine promises when its program is killed. `module` exports `openJobs: OpenJobs`. */
export function killedConformance(module: URL): void {
  test('a program that is killed at each step goes on there', async () => {
    using folder = scratch();
    const { kills, lines } = await runKilled('each-step', module, folder.path);
    expect(kills).toBe(killPoints.length);
    for (const point of killPoints) {
      const prefix = `${point}:`;
      const ran = lines.filter((line) => line.startsWith(prefix));
      const expected = expectedTrace(point).map((step) => `${prefix}${step}`);
      expect({ point, ran }).toEqual({ point, ran: expected });
    }
  });

  test('a program that is killed at any moment goes on where it was, and no finished step runs again', async () => {
    using folder = scratch();
    const { lines } = await runKilled('any-moment', module, folder.path);
    for (let job = 0; job < 20; job += 1) {
      const steps = lines
        .filter((line) => line.startsWith(`${job}:`) && !line.endsWith(':send'))
        .map((line) => line.split(':')[1]);
      // An interrupted step may be there twice, one after the other; a finished one is never gone back to.
      expect(steps.filter((step, index) => step !== steps[index - 1])).toEqual(['a', 'b', 'c']);
    }
    const sends = lines.filter((line) => line.endsWith(':send'));
    expect(new Set(sends).size).toBe(sends.length);
  });
}

/** Runs the program until it ends by itself. */
async function runKilled(
  mode: 'each-step' | 'any-moment',
  module: URL,
  folder: string,
): Promise<{ readonly kills: number; readonly lines: readonly string[] }> {
  const trace = join(folder, 'trace');
  writeFileSync(trace, '');
  for (let kills = 0; kills < 60; kills += 1) {
    const args = [module.href, folder, trace, mode];
    const program = fork(new URL('./killed-program.ts', import.meta.url), args, {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { ...process.env, ERRAND_TEST_LEASE_MS: '500' },
    });
    const exited = once(program, 'exit');
    await Promise.race([once(program, 'message'), exited]);
    // Somewhere in its work, each time elsewhere.
    const kill = () => mode === 'any-moment' && program.kill('SIGKILL');
    const timer = setTimeout(kill, 3 + kills * 25);
    const [code, signal] = await exited;
    clearTimeout(timer);
    if (code === 0) return { kills, lines: readFileSync(trace, 'utf8').trim().split('\n') };
    if (signal !== 'SIGKILL') throw new Error(`The program ended with ${code ?? signal}.`);
  }
  throw new Error('The program did not come to an end.');
}
