import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestCounts } from './provision/count-reporter.ts';
import { endAbandonedEngine } from './provision/docker-engine.ts';
import { findTestFiles } from './provision/find-test-files.ts';
import { lookAtMachine } from './provision/look-at-machine.ts';
import { planProvisioning, type SkippedFile, skipFiles } from './provision/plan.ts';
import { provide } from './provision/provide.ts';
import { runProgram } from './provision/run-program.ts';

// vitest changes the environment when it is asked for the files; tests get the one we were started with.
const env = { ...process.env };
const args = process.argv.slice(2);
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => interruption.abort(signal));
}

// Whatever hangs, a test or what is installed for it, must not hold up a machine that runs them unattended.
const minutes = Number(env.ERRAND_TEST_MINUTES ?? 60);
setTimeout(() => interruption.abort('the limit'), minutes * 60_000).unref();

// A closed terminal or pipe must not keep us from stopping what was started.
process.stdout.on('error', () => {});

process.exitCode = await test();

async function test(): Promise<number> {
  const { projectFolder, files, namesReporter } = await findTestFiles(args);
  await endAbandonedEngine(projectFolder);
  const plan = planProvisioning(files, lookAtMachine(env));
  await using provided = await provide(plan.provide, {
    projectFolder,
    env,
    say: console.log,
    signal: interruption.signal,
    mayComeLater: true,
  });
  const unprovided = [...provided.failures].flatMap(([need, why]) => skipFiles(files, need, why));
  const skippedFiles = [...plan.skippedFiles, ...unprovided];
  tell(skippedFiles);

  using counts = countsFile();
  const { signal } = interruption;
  const isSkipped = (path: string) => skippedFiles.some(({ file }) => file === path);
  const areAllSkipped = files.length > 0 && files.every(isSkipped);
  const testEnv = {
    ...env,
    ...provided.env,
    ERRAND_TEST_COUNTS: counts.path,
    // Tests start the same programs from their sources many hundred times.
    NODE_COMPILE_CACHE: join(projectFolder, '.cache', 'compile'),
  };
  const code =
    areAllSkipped || signal.aborted ? 0 : await runVitest(skippedFiles, namesReporter, testEnv);
  if (signal.reason === 'the limit') {
    console.log(`The run took longer than ${minutes} minutes and was ended.`);
    return 1;
  }
  if (signal.aborted) {
    console.log(`Interrupted by ${signal.reason}; stopping what was started.`);
    return 128 + constants.signals[signal.reason as NodeJS.Signals];
  }
  tell(skippedFiles);
  const { passed, failed, skipped } = counts.read() ?? {
    passed: 0,
    failed: Math.min(code, 1),
    skipped: 0,
  };
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  // What this machine lacks may be left out by a person, never by CI; what broke on the way fails for both.
  const maySkip = env.CI !== 'true' && unprovided.length === 0;
  return code === 0 && skippedFiles.length > 0 && !maySkip ? 1 : code;
}

function runVitest(
  skippedFiles: readonly SkippedFile[],
  namesReporter: boolean,
  testEnv: NodeJS.ProcessEnv,
): Promise<number> {
  const vitest = join(
    dirname(fileURLToPath(import.meta.resolve('vitest/package.json'))),
    'vitest.mjs',
  );
  const reporters = [
    ...(namesReporter ? [] : ['default']),
    fileURLToPath(import.meta.resolve('./provision/count-reporter.ts')),
  ];
  // Flags do not reach the projects of a configuration.
  const leftOut = { ERRAND_TEST_LEFT_OUT: JSON.stringify(skippedFiles.map(({ file }) => file)) };
  return runProgram(
    process.execPath,
    [
      vitest,
      'run',
      ...args,
      ...reporters.map((reporter) => `--reporter=${reporter}`),
      ...skippedFiles.map(({ file }) => `--exclude=${file}`),
    ],
    // A test that never ends keeps its process alive when vitest is asked to end.
    { env: { ...testEnv, ...leftOut }, signal: interruption.signal, endsGroup: true },
  );
}

function tell(skippedFiles: readonly SkippedFile[]): void {
  if (skippedFiles.length > 0)
    console.log('\nLeft out, because this machine lacks what they need:');
  for (const { file, reason } of skippedFiles) console.log(`  ${file}: ${reason}`);
}

function countsFile(): Disposable & { path: string; read(): TestCounts | undefined } {
  const folder = mkdtempSync(join(tmpdir(), 'errand-test-'));
  const path = join(folder, 'counts.json');
  return {
    path,
    read: () =>
      existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as TestCounts) : undefined,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
