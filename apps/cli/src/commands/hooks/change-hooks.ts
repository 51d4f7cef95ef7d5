import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Hook } from '@errand/hooks';
import { HostError, quoted } from '@errand/host';
import { isRecord } from '@errand/wire';
import { describeHook } from '@errand/workspace/hooks';
import { Command } from 'commander';
import { word } from '../../advice.ts';
import { askLine, confirm } from '../../ask.ts';
import type { CommandContext, CommonOptions } from '../../command-context.ts';
import { exitCode } from '../../exit-code.ts';
import { markLines } from '../../mark-lines.ts';
import { type LocalHooks, openLocalHooks } from '../../open-local-hooks.ts';
import { readAll } from '../../piped-input.ts';
import { askHooks } from './ask-hooks.ts';
import { applyFlags, type HookFlags, withHookFlags } from './hook-flags.ts';
import { adviceText, brokenHook, faultText, stateOf, viewJson } from './list-hooks.ts';

/** `errand hooks add`: a new hook, from options or questions. */
export function addHookCommand(context: CommandContext): Command {
  return withHookFlags(
    new Command('add')
      .description('Add a hook; without --on, --template or --from it asks.')
      .argument('[name]', 'its name, at most 100 characters')
      .argument('[program...]', 'after --: a program that it runs, with arguments'),
  ).action(async (name: string | undefined, program: string[], flags: HookFlags) => {
    const { terminal } = context;
    await using hooks = await openLocalHooks(flags, context);
    const given = await readHook(flags, context);
    const isAsking = !flags.on && !flags.template && !flags.from;
    if (isAsking && !terminal.stdin.isTTY) {
      throw new HostError(
        'settings_invalid',
        'Say what makes it run, for example --on file --glob "Inbox/*.md", and what it does, for example --call SERVER/TOOL.',
      );
    }
    const asked = isAsking ? await askForHook(flags, program, context) : { flags, program };
    const wanted = name ?? (typeof given.name === 'string' ? given.name : undefined);
    const named =
      wanted ?? (terminal.stdin.isTTY ? await askLine('Name: ', terminal, context.signal) : '');
    const base = { ...given, id: randomUUID(), name: named };
    const hook = await applyFlags(base, asked.flags, asked.program);
    if (hooks.engine.hooks.some((each) => each.name.toLowerCase() === hook.name.toLowerCase())) {
      throw new HostError(
        'settings_invalid',
        `There is a hook "${hook.name}" already. Change it with: errand hooks edit, or choose another name.`,
      );
    }
    await keep(hooks, [hook], (all) => [...all, hook]);
    await told('Added', hook, flags, context);
  });
}

/** `errand hooks edit`: changes what is given. */
export function editHookCommand(context: CommandContext): Command {
  return withHookFlags(
    new Command('edit')
      .description('Change a hook; what is not given stays.')
      .argument('<name>', 'the name or id of a hook')
      .argument('[program...]', 'after --: a program that it runs, with arguments')
      .option('--name <name>', 'its new name'),
  ).action(
    async (name: string, program: string[], flags: HookFlags & { readonly name?: string }) => {
      await using hooks = await openLocalHooks(flags, context);
      const before = findHook(hooks, name);
      const given = await readHook(flags, context);
      const base = { ...before, ...given, id: before.id, ...(flags.name && { name: flags.name }) };
      const hook = await applyFlags(base, flags, program);
      const change = (all: readonly Hook[]) =>
        all.map((each) => (each.id === hook.id ? hook : each));
      // Whoever changes a part of a stranger's hook has not seen the rest of it.
      if (hooks.trust.verdict(before) === 'trusted') await keep(hooks, [hook], change);
      else await hooks.store.save(change);
      await told('Changed', hook, flags, context);
    },
  );
}

/** `errand hooks enable` and `disable`. */
export function switchHookCommand(name: 'enable' | 'disable', context: CommandContext): Command {
  const enabled = name === 'enable';
  const description = enabled
    ? 'Enable a hook, and let one that was paused run again.'
    : 'Disable a hook; its entry stays.';
  return new Command(name)
    .description(description)
    .argument('<name>', 'the name or id of a hook')
    .action(async (hook: string, options: CommonOptions) => {
      const { value } = await askHooks('set-enabled', { hook, enabled }, options, context);
      const done = enabled ? 'Enabled' : 'Disabled';
      const json = JSON.stringify(viewJson(value), undefined, 2);
      const { isGuard } = await import('@errand/hooks');
      const effect = !enabled && isGuard(value.hook) ? ' Agents go on without it.' : '';
      context.terminal.stdout.write(
        options.json ? `${json}\n` : `${done} ${value.hook.name}.${effect}\n`,
      );
      context.end(exitCode.ok);
    });
}

/** `errand hooks remove`. */
export function removeHookCommand(context: CommandContext): Command {
  return new Command('remove')
    .description('Remove a hook.')
    .argument('<name>', 'the name or id of a hook')
    .action(async (name: string, options: CommonOptions) => {
      await using hooks = await openLocalHooks(options, context);
      const hook = findHook(hooks, name);
      await hooks.store.save((all) => all.filter(({ id }) => id !== hook.id));
      await hooks.trust.revoke([hook]);
      await askHooks('reload', {}, options, context);
      const json = JSON.stringify({ id: hook.id, name: hook.name, removed: true });
      context.terminal.stdout.write(options.json ? `${json}\n` : `Removed ${hook.name}.\n`);
      context.end(exitCode.ok);
    });
}

interface ImportOptions extends CommonOptions {
  readonly yes?: boolean;
}

/** `errand hooks import`: hooks of another vault, or of the extension that they come from. */
export function importHooksCommand(context: CommandContext): Command {
  return new Command('import')
    .description('Add the hooks of a file that they were exported to.')
    .argument('<file>', 'a JSON file, or - for standard input')
    .option('--yes', 'agree to what they do without being asked')
    .action(async (file: string, options: ImportOptions) => {
      const { terminal, signal } = context;
      await using hooks = await openLocalHooks(options, context);
      const text = await readInput(file, context);
      const { importHooks } = await import('@errand/hooks');
      const found = importHooks(text, { existing: hooks.engine.hooks, createId: randomUUID });
      if (!options.json) {
        for (const hook of found.hooks) {
          terminal.stdout.write(
            `${hook.name}\n${markLines(describeHook(hook).join('\n'), terminal.stdout)}`,
          );
        }
        for (const { hookName, message } of found.problems) {
          terminal.stderr.write(
            markLines(`${hookName ? `${hookName}: ` : ''}${message}`, terminal.stderr),
          );
        }
      }
      const isAgreed =
        found.hooks.length > 0 &&
        (options.yes ||
          (terminal.stdin.isTTY === true &&
            (await confirm('Let these hooks run on this machine?', terminal, signal))));
      await hooks.store.save((all) => [...all, ...found.hooks]);
      if (isAgreed) await hooks.agree(found.hooks);
      await askHooks('reload', {}, options, context);
      const json = { imported: found.hooks, agreed: isAgreed, problems: found.problems };
      const rest = isAgreed ? '' : ' They run once you agree: errand trust';
      terminal.stdout.write(
        options.json
          ? `${JSON.stringify(json, undefined, 2)}\n`
          : `Imported ${found.hooks.length} hooks.${found.hooks.length === 0 ? '' : rest}\n`,
      );
      context.end(found.problems.length > 0 ? exitCode.usage : exitCode.ok);
    });
}

interface ExportOptions extends CommonOptions {
  readonly output?: string;
  readonly origin?: boolean;
}

/** `errand hooks export`. */
export function exportHooksCommand(context: CommandContext): Command {
  return new Command('export')
    .description('Print all hooks, or some, with what is known of their runs.')
    .argument('[name...]', 'only these hooks')
    .option('--output <file>', 'write to a file')
    .option('--origin', 'in the form of the extension that hooks come from')
    .action(async (names: string[], options: ExportOptions) => {
      const { terminal } = context;
      const { stdout, rawOutput = stdout, stderr } = terminal;
      await using hooks = await openLocalHooks(options, context);
      const chosen =
        names.length === 0 ? hooks.engine.hooks : names.map((name) => findHook(hooks, name));
      const activityOf = (id: string) => ({
        executionCount: 0,
        ...activity(hooks.engine.records.of(id)),
      });
      const { exportHooks, exportToOrigin } = await import('@errand/hooks');
      const { text, problems } = options.origin
        ? exportToOrigin(chosen, activityOf)
        : { text: exportHooks(chosen, activityOf), problems: [] };
      for (const { hookName, message } of problems)
        stderr.write(markLines(`${hookName}: ${message}`, stderr));
      if (options.output === undefined) rawOutput.write(text);
      else {
        const file = resolve(terminal.cwd, options.output);
        await writeFile(file, text);
        const json = JSON.stringify({ file, exported: chosen.length - problems.length });
        stdout.write(options.json ? `${json}\n` : `Wrote ${file}.\n`);
      }
      context.end(exitCode.ok);
    });
}

function activity({
  lastExecutedAt,
  executionCount,
}: {
  readonly lastExecutedAt?: number;
  readonly executionCount?: number;
}) {
  return {
    ...(lastExecutedAt !== undefined && { lastExecutedAt }),
    ...(executionCount !== undefined && { executionCount }),
  };
}

function findHook({ engine }: LocalHooks, name: string): Hook {
  const { hooks } = engine;
  const wanted = name.toLowerCase();
  const found =
    hooks.find(({ id }) => id === name) ?? hooks.find((each) => each.name.toLowerCase() === wanted);
  if (found !== undefined) return found;
  const message =
    brokenHook(name, engine.problems) ?? `No hook is called "${name}". See them with: errand hooks`;
  throw new HostError('settings_invalid', message);
}

/** Stores hooks that a person made here, who thereby agrees to them. */
async function keep(
  hooks: LocalHooks,
  made: readonly Hook[],
  change: (all: readonly Hook[]) => readonly Hook[],
): Promise<void> {
  await hooks.store.save(change);
  await hooks.agree(made);
}

async function told(
  done: string,
  { id }: Hook,
  options: CommonOptions,
  context: CommandContext,
): Promise<void> {
  const { stdout } = context.terminal;
  await askHooks('reload', {}, options, context);
  const { value, isOwned } = await askHooks('list', {}, options, context);
  const view = value.hooks.find(({ hook }) => hook.id === id);
  if (view === undefined)
    throw new HostError('settings_invalid', 'The hook could not be read back.');
  if (options.json) stdout.write(`${JSON.stringify(viewJson(view), undefined, 2)}\n`);
  else {
    const next = isOwned ? '' : ' Hooks run while a program owns the vault: errand up';
    const [fault] = view.faults;
    stdout.write(
      fault
        ? `${done} ${view.hook.name}. ${faultText(fault)} ${adviceText(fault)}\n`
        : `${done} ${view.hook.name} (${stateOf(view)}).${next}\n`,
    );
    for (const { server, tool } of view.unchecked ?? []) {
      stdout.write(
        `Whether server ${quoted(server)} has a tool ${quoted(tool)} is not known yet. While it is enabled, check it with: errand hooks test ${word(view.hook.name)}\n`,
      );
    }
  }
  context.end(exitCode.ok);
}

async function readHook({ from }: HookFlags, context: CommandContext) {
  if (from === undefined) return {};
  const text = await readInput(from, context);
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Told below.
  }
  throw new HostError('settings_invalid', `${from} is not a JSON object with a hook.`);
}

async function readInput(file: string, { terminal, signal }: CommandContext): Promise<string> {
  if (file === '-') return readAll(terminal.stdin, signal);
  return readFile(resolve(terminal.cwd, file), 'utf8');
}

/** Asks for what the simplest useful hook needs. */
async function askForHook(
  flags: HookFlags,
  program: readonly string[],
  { terminal, signal }: CommandContext,
): Promise<{ readonly flags: HookFlags; readonly program: readonly string[] }> {
  const ask = async (question: string) => (await askLine(question, terminal, signal))?.trim() ?? '';
  const on = (await ask(
    'Runs on (file, git, schedule, call, server, http, manual, agent-operation): ',
  )) as NonNullable<HookFlags['on']>;
  const asked: Record<string, string> = {};
  for (const [name, question] of questions[on] ?? []) asked[name] = await ask(`${question}: `);
  const hasAction = program.length > 0 || flags.call || flags.commit || flags.ask || flags.action;
  if (hasAction) return { flags: { ...flags, ...asked, on }, program };
  const call = await ask('Tool to call, as SERVER/TOOL (empty: a program): ');
  if (call === '') {
    const words = (await ask('Program with its arguments: ')).split(/\s+/).filter(Boolean);
    return { flags: { ...flags, ...asked, on }, program: words };
  }
  const set: string[] = [];
  for (;;) {
    const pair = await ask(
      'Parameter, as NAME=VALUE with {{ field }} or @field (empty: no more): ',
    );
    if (pair === '') break;
    set.push(pair);
  }
  return { flags: { ...flags, ...asked, on, call, set }, program };
}

const questions: Readonly<Record<string, readonly (readonly [name: string, question: string])[]>> =
  {
    file: [['glob', 'Files, for example Inbox/*.md']],
    git: [['events', 'Of git: commit, checkout, merge, rebase, push or tag']],
    schedule: [['cron', 'When, as five fields of cron, for example 0 7 * * 1-5']],
    call: [['status', 'Calls that ended with: success, error, timeout or cancelled']],
    server: [['events', 'Of servers: connected, lost or auto-disabled']],
    'agent-operation': [
      ['agent', 'Of speckit or openspec'],
      ['operation', 'Operation, for example plan'],
    ],
  };
