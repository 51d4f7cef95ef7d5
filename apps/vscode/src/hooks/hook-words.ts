import type { HookReasons, HookTest, HookView } from '@errand/hooks';
import { foreignLines } from '@errand/host';
import {
  describeReasons,
  describeTest,
  describeTestEnd,
  describeTrigger,
  type HookState,
  type HookWords,
  hookState,
} from '@errand/workspace/hooks';
import { ago } from '@errand/workspace/text';

type HookFault = HookView['faults'][number];

/** What is wrong with a hook, and what to do about it in VS Code. */
function faultText({ message, advice }: HookFault): string {
  return [message, ...advice.flatMap(todoOf)].join(' ');
}

function todoOf(advice: HookFault['advice'][number]): readonly string[] {
  switch (advice.kind) {
    case 'update-hook':
      return [
        ...(advice.meant === undefined ? [] : [`Did you mean "${advice.meant}"?`]),
        'Update or remove it in the view Hooks.',
      ];
    case 'remove-hook':
      return [];
    case 'enable-server':
      return ['Enable the server in the view Servers.'];
    case 'install-bridge':
      return ['Let one, in a terminal: errand hooks bridge install claude'];
  }
}

/** How a hook is, and why it does not run. */
export function stateOfHook(view: HookView): HookState {
  return hookState(view, faultText);
}

/** What a row says beside the name of a hook: how it is, what it waits for, its last run and its next. */
export function hookLine(view: HookView, now: number): string {
  const { hook, lastExecutedAt, nextRun } = view;
  return [
    stateOfHook(view).label,
    describeTrigger(hook.trigger),
    ...(lastExecutedAt === undefined ? [] : [`last ${ago(now - lastExecutedAt)}`]),
    ...(nextRun === undefined ? [] : [`next ${new Date(nextRun).toLocaleString()}`]),
  ].join(' · ');
}

const words: HookWords = {
  time: (at) => new Date(at).toLocaleString(),
  agree: 'Look at it and agree with “Review and Agree” in the view Hooks.',
  enable: 'Enable it in the view Hooks.',
  fault: faultText,
};

/** What a hook would do, as a text. What strangers wrote in it stays text. */
export function testText(test: HookTest): string {
  const actions = test.actions.flatMap(({ type, resolved, problems }, index) => [
    `Action ${index + 1}: ${type}`,
    ...Object.entries(resolved).map(
      ([name, value]) => `  ${name} = ${JSON.stringify(value) ?? ''}`,
    ),
    ...problems.map((problem) => `  ! ${problem}`),
  ]);
  return textOf([...describeTest(test, words), ...actions, describeTestEnd(test)]);
}

/** Why a hook did not run, as a text. */
export function whyText(reasons: HookReasons): string {
  const lines = describeReasons(reasons, words);
  return textOf(lines.length === 0 ? ['Nothing keeps it from running.'] : lines);
}

function textOf(lines: readonly string[]): string {
  return `${lines.flatMap((line) => foreignLines(line)).join('\n')}\n`;
}
