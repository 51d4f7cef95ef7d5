import type { HookEvent, HookReasons, HookTest } from '@errand/hooks';
import { HostError } from '@errand/host';
import { isRecord } from '@errand/wire';
import {
  describeReasons,
  describeTestEnd,
  type HookWords,
  describeTest as testLines,
} from '@errand/workspace/hooks';
import { Command } from 'commander';
import type { CommandContext, CommonOptions } from '../../command-context.ts';
import { exitCode } from '../../exit-code.ts';
import { markLines } from '../../mark-lines.ts';
import { table } from '../../table.ts';
import { askHooks } from './ask-hooks.ts';
import { adviceText, faultText, timeText } from './list-hooks.ts';

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

function describeTest(test: HookTest, { terminal: { stdout } }: CommandContext): string {
  const shown = test.actions.map(({ type, resolved, problems }, index) => {
    const rows = Object.entries(resolved).map(([name, value]) => [
      `  ${name}`,
      JSON.stringify(value) ?? '',
    ]);
    const wrong = problems.map((problem) => markLines(problem, stdout)).join('');
    return `Action ${index + 1}: ${type}\n${table(rows)}${wrong}`;
  });
  return `${testLines(test, words).join('\n')}\n${shown.join('')}${describeTestEnd(test)}\n`;
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

const words: HookWords = {
  time: timeText,
  agree: 'Look at it and agree with: errand trust',
  enable: 'Let it run with: errand hooks enable NAME',
  fault: (fault) => `${faultText(fault)} ${adviceText(fault)}`,
};

function describeWhy(reasons: HookReasons, isOwned: boolean): string {
  const unowned = 'No program owns this vault, so no hook runs. Run them with: errand up';
  const lines = [...(isOwned ? [] : [unowned]), ...describeReasons(reasons, words)];
  return `${lines.join('\n')}\n`;
}
