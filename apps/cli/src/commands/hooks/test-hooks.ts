import type { HookEvent, HookReasons, HookTest } from '@errand/hooks';
import { HostError } from '@errand/host';
import { isRecord } from '@errand/wire';
import { Command } from 'commander';
import type { CommandContext, CommonOptions } from '../../command-context.ts';
import { exitCode } from '../../exit-code.ts';
import { markLines } from '../../mark-lines.ts';
import { table } from '../../table.ts';
import { askHooks } from './ask-hooks.ts';
import { describeCondition } from './describe-hook.ts';
import { timeText } from './list-hooks.ts';

interface TestOptions extends CommonOptions {
  readonly event?: string;
  readonly run?: string;
}

/** `errand hooks test`: what a hook would do, without doing it. */
export function testHookCommand(context: CommandContext): Command {
  return new Command('test')
    .description(
      'Show what a hook would do on its last event, or on one that is given; nothing is called.',
    )
    .argument('<name>', 'the name or id of a hook')
    .option('--event <json>', 'an event: {"kind": …, "fields": {…}}')
    .option('--run <id>', 'the event of an earlier run')
    .action(async (name: string, options: TestOptions) => {
      const { stdout } = context.terminal;
      const event = await eventOf(options, context);
      const params = { hook: name, ...(event && { event }) };
      const { value } = await askHooks('test', params, options, context);
      stdout.write(
        options.json ? `${JSON.stringify(value, undefined, 2)}\n` : describeTest(value, context),
      );
      const isFine = value.wouldRun && value.actions.every(({ problems }) => problems.length === 0);
      context.end(isFine ? exitCode.ok : exitCode.failed);
    });
}

async function eventOf(
  options: TestOptions,
  context: CommandContext,
): Promise<HookEvent | undefined> {
  if (options.run !== undefined) {
    return (await askHooks('show-run', { run: options.run }, options, context)).value.run.event;
  }
  if (options.event === undefined) return undefined;
  try {
    const event: unknown = JSON.parse(options.event);
    if (isRecord(event)) return event as unknown as HookEvent;
  } catch {
    // Told below.
  }
  throw new HostError(
    'settings_invalid',
    '--event is not a JSON object. Write {"kind": "file", "fields": {}}.',
  );
}

const origins: Readonly<Record<HookTest['origin'], string>> = {
  given: 'the given event',
  recorded: 'its last event',
  example: 'an example, since no event came yet',
};

function describeTest(test: HookTest, { terminal: { stdout } }: CommandContext): string {
  const { event, mismatch, conditions, actions, verdict } = test;
  const lines = [
    `Tested on ${origins[test.origin]}: ${event.kind} ${timeText(event.at)}.`,
    ...(mismatch ? [`The trigger does not fit: ${mismatchText(mismatch)}.`] : []),
    ...conditions.map(
      ({ condition, actual, holds }) =>
        `${holds ? 'holds' : 'fails'}: ${describeCondition(condition)}${holds ? '' : ` (it is ${JSON.stringify(actual) ?? 'missing'})`}`,
    ),
    ...(verdict === 'trusted'
      ? []
      : ['Nobody agreed to it on this machine. Agree with: errand trust']),
  ];
  const shown = actions.map(({ type, resolved, problems }, index) => {
    const rows = Object.entries(resolved).map(([name, value]) => [
      `  ${name}`,
      JSON.stringify(value) ?? '',
    ]);
    const wrong = problems.map((problem) => markLines(problem, stdout)).join('');
    return `Action ${index + 1}: ${type}\n${table(rows)}${wrong}`;
  });
  const end = test.wouldRun ? 'It would run.\n' : 'It would not run.\n';
  return `${lines.join('\n')}\n${shown.join('')}${end}`;
}

/** `errand hooks why`: why a hook did not run. */
export function whyHookCommand(context: CommandContext): Command {
  return new Command('why')
    .description('Say why a hook did not run for the last events, or what would make it run.')
    .argument('<name>', 'the name or id of a hook')
    .action(async (name: string, options: CommonOptions) => {
      const { stdout } = context.terminal;
      const { value, isOwned } = await askHooks('why', { hook: name }, options, context);
      const json = { isOwned, ...value };
      stdout.write(
        options.json ? `${JSON.stringify(json, undefined, 2)}\n` : describeWhy(value, isOwned),
      );
      context.end(exitCode.ok);
    });
}

function describeWhy(reasons: HookReasons, isOwned: boolean): string {
  const { isEnabled, verdict, pausedAt, faults, events, skipped, example } = reasons;
  const lines = [
    ...(isOwned ? [] : ['No program owns this vault, so no hook runs. Run them with: errand up']),
    ...(isEnabled ? [] : ['It is disabled. Enable it with: errand hooks enable NAME']),
    ...(verdict === 'trusted'
      ? []
      : [
          verdict === 'changed'
            ? 'It changed since it was agreed to. Look at it and agree with: errand trust'
            : 'Nobody agreed to it on this machine. Look at it and agree with: errand trust',
        ]),
    ...(pausedAt === undefined
      ? []
      : [
          `It is paused since ${timeText(pausedAt)} because it ran too often. Let it run again with: errand hooks enable NAME`,
        ]),
    ...faults.map(({ message }) => message),
    ...events.map((event) => `${timeText(event.at)} ${eventText(event)}`),
    ...skipped.map(({ at, message }) => `${timeText(at)} skipped: ${message}`),
    ...(example === undefined
      ? []
      : [`No event of its kind came. This would be one: ${JSON.stringify(example.fields)}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function eventText(event: HookReasons['events'][number]): string {
  switch (event.kind) {
    case 'runs':
      return 'this event fits its trigger and conditions.';
    case 'trigger':
      return `the trigger did not fit: ${mismatchText(event)}.`;
    case 'condition':
      return `a condition failed: ${describeCondition(event.condition)}, but it was ${JSON.stringify(event.actual) ?? 'missing'}.`;
  }
}

function mismatchText({ field, expected, actual }: NonNullable<HookTest['mismatch']>): string {
  return `${field} was ${JSON.stringify(actual) ?? 'missing'}, not ${JSON.stringify(expected)}`;
}
