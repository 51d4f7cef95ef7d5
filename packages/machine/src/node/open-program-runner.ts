import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { delimiter, resolve } from 'node:path';
import { type Program, type ProgramEnd, type ProgramRunner, within } from '@errand/host';
import { onAbort } from '@errand/wire';
import { childrenFolderIn, recordChild } from './child-record.ts';
import { defaultShutdownTimes, endProcessTree } from './end-process-tree.ts';
import { findProgram } from './find-program.ts';
import { childEnvironment, isPath, type LocalLaunch, programFolders } from './plan-local-launch.ts';
import { createProgramPath } from './program-path.ts';
import { describeTree, startChild, startProblem } from './start-child.ts';
import { TailBuffer } from './tail-buffer.ts';

interface ProgramRunnerPorts {
  readonly vaultFolder: string;
  /** The user's state folder, where running children are recorded for the next host. */
  readonly stateFolder: string;
}

const keptErrors = 64 * 1024;

/** Output still on its way when nothing of the program runs any more is read for this long. */
const drainMs = 1_000;

/** Runs programs as they are found on a person's PATH; none of them, nor what they start, outlives its run. */
export function openProgramRunner(ports: ProgramRunnerPorts): ProgramRunner {
  const programPath = createProgramPath();
  return {
    async run(program, signal) {
      const { vaultFolder } = ports;
      const { command, cwd } = program;
      const find = (path: string) => locate(program, programFolders(path, vaultFolder));
      const path = await programPath((candidate) => find(candidate) !== undefined);
      if (signal.aborted) return aborted;
      const found = find(path);
      if (found === undefined) {
        const message = `There is no program "${command}" on the PATH. Install it, or write its full path.`;
        return { kind: 'not-started', message };
      }
      const env = childEnvironment(path, program.env);
      const folders = programFolders(env.PATH ?? '', vaultFolder);
      const launch = { ...program, command: found, env: { ...env, PATH: folders.join(delimiter) } };
      try {
        return await runToEnd(program, launch, childrenFolderIn(ports.stateFolder), signal);
      } catch (error) {
        const why = startProblem(
          error as NodeJS.ErrnoException,
          { command: found, cwd },
          'the action',
        );
        return { kind: 'not-started', message: `${command} cannot start: ${why}` };
      }
    },
  };
}

const aborted = { kind: 'aborted', output: '', errorOutput: '', isCut: false } as const;

function locate({ command, cwd, env }: Program, folders: readonly string[]): string | undefined {
  if (isPath(command)) return resolve(cwd, command);
  const given = Object.entries(env).find(([name]) => /^path$/i.test(name))?.[1];
  return findProgram(command, given?.split(delimiter) ?? folders);
}

/** Rejects only when the program cannot be started. */
async function runToEnd(
  { input = '', outputLimit, command }: Program,
  launch: LocalLaunch,
  childrenFolder: string,
  signal: AbortSignal,
): Promise<ProgramEnd> {
  const mark = randomUUID();
  const child = startChild(launch, mark, 'pipe');
  const exited = once(child, 'exit');
  // Rejects when the program cannot be started, before there is an exit.
  await Promise.race([once(child, 'spawn'), exited]);
  const { stdin, stdout, stderr } = child;
  for (const stream of [stdin, stdout, stderr]) stream?.on('error', () => undefined);
  const kept: Buffer[] = [];
  let size = 0;
  let errorSize = 0;
  const errors = new TailBuffer(keptErrors);
  stdout?.on('data', (chunk: Buffer) => {
    if (size < outputLimit) kept.push(chunk.subarray(0, outputLimit - size));
    size += chunk.length;
  });
  stderr?.on('data', (chunk: Buffer) => {
    errors.push(chunk);
    errorSize += chunk.length;
  });
  const closed = Promise.all([stdout, stderr].map((stream) => stream && once(stream, 'close')));
  const tree = describeTree(child.pid ?? 0, mark);
  // On a full disk the program still runs; only the next host could not clean up after a crash.
  const strikeOut = tree
    .then((known) => recordChild(childrenFolder, known, command))
    .catch(() => undefined);
  stdin?.end(input);

  const stopped = Promise.withResolvers<void>();
  using _listening = onAbort(signal, () => stopped.resolve());
  const exit = await Promise.race([exited, stopped.promise]);
  await endProcessTree(await tree, defaultShutdownTimes);
  await within(closed, drainMs);
  for (const stream of [stdin, stdout, stderr]) stream?.destroy();
  (await strikeOut)?.();

  const output = {
    output: Buffer.concat(kept).toString('utf8'),
    errorOutput: errors.text(),
    isCut: size > outputLimit || errorSize > keptErrors,
  };
  if (exit === undefined) return { kind: 'aborted', ...output };
  const [code, endedBy] = exit as [number | null, NodeJS.Signals | null];
  return {
    kind: 'exited',
    ...output,
    ...(code !== null && { exitCode: code }),
    ...(endedBy !== null && { signal: endedBy }),
  };
}
