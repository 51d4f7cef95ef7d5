import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isOpenForWriting } from './is-open-for-writing.ts';

const isLinux = process.platform === 'linux';

function makeFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'errand-lease-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'a note.md');
  writeFileSync(path, 'text');
  return path;
}

/** Another program that has the file open until its input ends. */
async function openElsewhere(path: string, flags: string) {
  const program = `require('node:fs').openSync(process.argv[1], '${flags}'); console.log('open'); process.stdin.resume()`;
  const child = spawn(process.execPath, ['-e', program, path]);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return {
    async end() {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}

test.runIf(isLinux)(
  'a file that another program writes is told from one that it reads',
  async () => {
    const path = makeFile();
    const descriptor = openSync(path, 'r');
    onTestFinished(() => closeSync(descriptor));
    expect(await isOpenForWriting(descriptor)).toBe(false);
    const reader = await openElsewhere(path, 'r');
    expect(await isOpenForWriting(descriptor)).toBe(false);
    const writer = await openElsewhere(path, 'r+');
    expect(await isOpenForWriting(descriptor)).toBe(true);
    // Its name may be another file's by now.
    unlinkSync(path);
    writeFileSync(path, 'another');
    expect(await isOpenForWriting(descriptor)).toBe(true);
    await writer.end();
    expect(await isOpenForWriting(descriptor)).toBe(false);
    await reader.end();
  },
);

test.runIf(isLinux)('many questions at once each get their own answer', async () => {
  const paths = Array.from({ length: 20 }, makeFile);
  const files = paths.map((path, at) => openSync(path, at % 3 === 0 ? 'r+' : 'r'));
  onTestFinished(() => files.forEach((file) => void closeSync(file)));
  const answers = await Promise.all(files.map((file) => isOpenForWriting(file)));
  expect(answers).toEqual(files.map((_, at) => at % 3 === 0));
});

test.runIf(isLinux)('a program that has asked ends when it has nothing else to do', async () => {
  const module = join(import.meta.dirname, 'is-open-for-writing.ts');
  const program = `const { isOpenForWriting } = await import(process.argv[1]);
    console.log(await isOpenForWriting(require('node:fs').openSync(process.argv[2], 'r')));`;
  const source = program.replace('require(', 'process.getBuiltinModule(');
  const args = ['--input-type=module', '-e', source, module, makeFile()];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'close', { signal: AbortSignal.timeout(20_000) });
  expect([code, output]).toEqual([0, 'false\n']);
});
