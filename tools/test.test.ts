import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ScratchProject } from './provision/scratch-project.ts';

const good = `test('adds', () => expect(1 + 1).toBe(2));`;
const bad = `test('adds', () => expect(1 + 1).toBe(3)); test.skip('later', () => {});`;
const broken = `throw new Error('nothing to see here');`;

// Somebody who may not install anything and cannot start an engine, but may read a checkout that only its owner can enter.
const prefix = ['unshare', '--user', '--map-user=65534', '--map-group=65534'];
const nobody = process.getuid?.() === 0 ? { prefix } : {};

test('runs only the files that a filter names and ends with the counts', async () => {
  await using project = new ScratchProject({ 'good.test.ts': good, 'bad.test.ts': bad });
  const { code, output } = await project.test(['good']).done;
  expect(lastLine(output)).toBe('1 passed, 0 failed, 0 skipped');
  expect(code).toBe(0);
});

test('fails with vitest and counts what failed and what was skipped', async () => {
  await using project = new ScratchProject({ 'good.test.ts': good, 'bad.test.ts': bad });
  const { code, output } = await project.test([]).done;
  expect(lastLine(output)).toBe('1 passed, 1 failed, 1 skipped');
  expect(code).toBe(1);
});

test('counts a file that cannot be loaded as a failure', async () => {
  await using project = new ScratchProject({ 'broken.test.ts': broken });
  const { code, output } = await project.test([]).done;
  expect(lastLine(output)).toBe('0 passed, 1 failed, 0 skipped');
  expect(code).toBe(1);
});

test('passes flags on to vitest', async () => {
  await using project = new ScratchProject({ 'good.test.ts': good, 'bad.test.ts': bad });
  const { code, output } = await project.test(['-t', 'multiplies', '--reporter', 'tap']).done;
  expect(output).toContain('TAP version 13');
  expect(lastLine(output)).toBe('0 passed, 0 failed, 3 skipped');
  expect(code).toBe(0);
});

test('says so when a filter names no file', async () => {
  await using project = new ScratchProject({ 'good.test.ts': good });
  const { code, output } = await project.test(['nowhere']).done;
  expect(output).toContain('No test files found');
  expect(lastLine(output)).toBe('0 passed, 0 failed, 0 skipped');
  expect(code).toBe(1);
});

test('names at both ends what it had to leave out, and runs the rest', async () => {
  await using project = new ScratchProject({ 'good.test.ts': good, 'box.docker.test.ts': bad });
  const { code, output } = await project.test([], nobody).done;
  expect(output.split('box.docker.test.ts: a private Docker engine needs root;')).toHaveLength(3);
  expect(lastLine(output)).toBe('1 passed, 0 failed, 0 skipped');
  expect(code).toBe(0);
});

test('runs nothing when everything has to be left out', async () => {
  await using project = new ScratchProject({ 'box.docker.test.ts': bad });
  const { code, output } = await project.test([], nobody).done;
  expect(lastLine(output)).toBe('0 passed, 0 failed, 0 skipped');
  expect(code).toBe(0);
});

test('fails in CI when anything is left out', async () => {
  await using project = new ScratchProject({ 'good.test.ts': good, 'box.docker.test.ts': bad });
  const { code, output } = await project.test([], { ...nobody, CI: 'true' }).done;
  expect(output).toContain('box.docker.test.ts: a private Docker engine needs root;');
  expect(lastLine(output)).toBe('1 passed, 0 failed, 0 skipped');
  expect(code).toBe(1);
});

test('ends a run that exceeds its limit with all of its processes, and fails', async () => {
  const stuck = `import { writeFileSync } from 'node:fs';
    test('waits', { timeout: 0 }, () => new Promise(() => {
      writeFileSync('pid', String(process.pid));
      setInterval(() => {}, 1000);
    }));`;
  await using project = new ScratchProject({ 'stuck.test.ts': stuck });
  const { code, output } = await project.test([], { ERRAND_TEST_MINUTES: '0.1' }).done;
  expect(output).toContain('The run took longer than 0.1 minutes and was ended.');
  expect(code).not.toBe(0);
  const pid = Number(readFileSync(join(project.folder, 'pid'), 'utf8'));
  await expect.poll(() => isRunning(pid)).toBe(false);
});

test('notices a run that cannot start', async () => {
  await using project = new ScratchProject({ 'good.test.ts': good });
  const run = project.test([], { prefix: ['/no/such/program'] });
  await expect(run.done).rejects.toThrow('ENOENT');
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function lastLine(output: string): string | undefined {
  return output.trimEnd().split('\n').at(-1);
}
