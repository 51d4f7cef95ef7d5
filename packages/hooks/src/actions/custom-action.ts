import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { expandReferences, type ProgramRunner, type ReferenceSources } from '@errand/host';
import { chainVariable } from '../hook-chain.ts';
import type { ActionContext, ActionOutcome, ActionPreview, ActionRunner } from '../hook-run.ts';
import type { ActionOf } from '../hook-schema.ts';
import { carryOut, failed, refuse } from './action-error.ts';
import { openRenderer } from './renderer.ts';

export interface CustomPorts {
  readonly programs: ProgramRunner;
  readonly references: ReferenceSources;
  readonly folder: string;
}

/** Bytes that are kept of a program's output: more than is shown, so that the log can keep the rest in a file. */
const outputLimit = 8 * 1024 * 1024;

/** Runs a program with the event on its standard input. */
export function customRunner(ports: CustomPorts): ActionRunner<'custom'> {
  return {
    run: (action, context) => runProgram(action, context, ports),
    preview: async (action, context): Promise<ActionPreview> => {
      const { program, problems } = await planProgram(action, context, ports);
      const missing = await expandVariables(program, context, ports).then(
        () => [],
        (error: Error) => [error.message],
      );
      const { referring, ...resolved } = program;
      return {
        resolved: { ...resolved, env: { ...resolved.env, ...referring } },
        problems: [...problems, ...missing],
      };
    },
    // What a program does is unknown.
    isRepeatable: () => false,
    leavesNothing: true,
  };
}

async function runProgram(
  action: ActionOf<'custom'>,
  context: ActionContext,
  ports: CustomPorts,
): Promise<ActionOutcome> {
  const { timeout } = action.parameters;
  return carryOut(context, { timeout }, async (signal) => {
    const { program, problems } = await planProgram(action, context, ports);
    refuse(problems);
    const { value: expanded, redact } = await expandVariables(program, context, ports);
    const end = await ports.programs.run(
      {
        ...program,
        env: { ...program.env, ...expanded, ...chainVariable(context) },
        input: `${JSON.stringify(eventFor(context))}\n`,
        outputLimit,
      },
      signal,
    );
    if (end.kind === 'not-started') throw failed('program_not_started', end.message);
    const output = {
      ...(end.kind === 'exited' && end.exitCode !== undefined && { exitCode: end.exitCode }),
      stdout: redact(end.output),
      stderr: redact(end.errorOutput),
      ...(end.isCut && { isCut: true }),
    };
    if (end.kind === 'exited' && end.exitCode === 0) return { status: 'success', output };
    const how =
      end.kind === 'exited' && end.exitCode !== undefined
        ? `with exit code ${end.exitCode}`
        : `by ${end.kind === 'exited' ? end.signal : 'the end of its time'}`;
    const said = output.stderr.trim().split('\n').slice(-5).join('\n');
    throw failed('program_failed', `${program.command} ended ${how}.${said && `\n${said}`}`, {
      output,
    });
  });
}

function eventFor({ event, hook: { id, name }, chain }: ActionContext) {
  return { ...event, hook: { id, name }, chain };
}

interface PlannedProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Variables as they are written, with references to secrets. */
  readonly referring: Readonly<Record<string, string>>;
}

async function planProgram(
  { parameters: { command, args = [], cwd, env = {} } }: ActionOf<'custom'>,
  { fields }: ActionContext,
  { folder }: CustomPorts,
): Promise<{ readonly program: PlannedProgram; readonly problems: readonly string[] }> {
  const { problems, text } = openRenderer(fields);
  // A reference is expanded only where the hook has it, never where an event brought it in.
  const [referring, plain] = partition(Object.entries(env), ([, value]) => reference.test(value));
  const program = {
    command: text('command', command),
    args: args.map((arg, index) => text(`args[${index}]`, arg)),
    env: Object.fromEntries(plain.map(([name, value]) => [name, text(`env.${name}`, value)])),
    referring: Object.fromEntries(referring),
  };
  if (program.command === '') problems.push('"command" is empty.');
  if ([command, ...args].some((written) => secret.test(written))) {
    problems.push('Give secrets by "env": every program of this machine can read arguments.');
  }
  const place = await findFolder(cwd, text('cwd', cwd ?? ''), folder);
  if ('problem' in place) problems.push(place.problem);
  return { program: { ...program, cwd: 'problem' in place ? folder : place.path }, problems };
}

const secret = /\$\{secret:/;
const reference = /\$\{(?:secret|env):/;

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean) {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))] as const;
}

/** A folder of the vault, or an absolute one that no event had a part in. */
async function findFolder(
  written: string | undefined,
  rendered: string,
  vault: string,
): Promise<{ readonly path: string } | { readonly problem: string }> {
  if (written === undefined) return { path: vault };
  if (isAbsolute(written)) {
    if (written === rendered) return { path: written };
    return { problem: '"cwd" may be absolute or a template, but not both.' };
  }
  const path = resolve(vault, rendered);
  const [real, realVault] = await Promise.all([realpath(path).catch(() => path), realpath(vault)]);
  const isInside = [relative(vault, path), relative(realVault, real)].every(
    (way) => way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way),
  );
  if (isInside) return { path };
  return {
    problem: '"cwd" leads out of the vault. Write a folder of the vault, or an absolute one.',
  };
}

function expandVariables(
  { referring }: PlannedProgram,
  { hook: { id, name } }: ActionContext,
  { references }: CustomPorts,
) {
  return expandReferences(referring, `Hook "${name}"`, references, { hook: { id, name } });
}
