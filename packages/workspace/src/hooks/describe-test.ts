import type { HookReasons, HookTest } from '@errand/hooks';
import { describeCondition, describeMismatch, describeVerdict } from './describe-hook.ts';

/** What an app says in its own words. */
export interface HookWords {
  readonly time: (at: number) => string;
  /** What to do about a hook that nobody agreed to. */
  readonly agree: string;
  /** What to do about a hook that is off or paused. */
  readonly enable: string;
  /** A fault with what to do about it. */
  readonly fault: (fault: HookReasons['faults'][number]) => string;
}

const origins: Readonly<Record<HookTest['origin'], string>> = {
  given: 'the given event',
  recorded: 'its last event',
  example: 'an example, since no event came yet',
};

/** On what a hook was tested, and whether its trigger and conditions fit, in lines. */
export function describeTest(
  { origin, event, mismatch, conditions, verdict }: HookTest,
  { time, agree }: Pick<HookWords, 'time' | 'agree'>,
): readonly string[] {
  return [
    `Tested on ${origins[origin]}: ${event.kind} ${time(event.at)}.`,
    ...(mismatch ? [`The trigger does not fit: ${describeMismatch(mismatch)}.`] : []),
    ...conditions.map(
      ({ condition, actual, holds }) =>
        `${holds ? 'holds' : 'fails'}: ${describeCondition(condition)}${holds ? '' : ` (it is ${JSON.stringify(actual) ?? 'missing'})`}`,
    ),
    ...(verdict === 'trusted' ? [] : [`Nobody agreed to it on this machine. ${agree}`]),
  ];
}

/** Whether a tested hook would run, in a sentence. */
export function describeTestEnd({ wouldRun, verdict, actions }: HookTest): string {
  if (!wouldRun) return 'It would not run.';
  const failing = actions.flatMap(({ problems }, index) =>
    problems.length > 0 ? [index + 1] : [],
  );
  if (verdict !== 'trusted') return 'It would not run before you agree to it.';
  if (failing.length === 0) return 'It would run.';
  const which = actions.length === 1 ? 'its action' : `action ${failing.join(', ')}`;
  return `It would run, but ${which} would fail.`;
}

/** Why a hook did not run, in lines: what keeps it from running at all, then the last events. */
export function describeReasons(reasons: HookReasons, words: HookWords): readonly string[] {
  const { isEnabled, verdict, pausedAt, faults, events, skipped, example } = reasons;
  const { time, agree, enable } = words;
  const judged =
    verdict === 'changed'
      ? 'It changed since it was agreed to.'
      : 'Nobody agreed to it on this machine.';
  return [
    ...(isEnabled ? [] : [`It is disabled. ${enable}`]),
    ...(verdict === 'trusted' ? [] : [`${judged} ${agree}`]),
    ...(pausedAt === undefined
      ? []
      : [`It is paused since ${time(pausedAt)} because it ran too often. ${enable}`]),
    ...faults.map(words.fault),
    ...events.map((event) => `${time(event.at)} ${describeVerdict(event)}`),
    ...skipped.map(({ at, message }) => `${time(at)} skipped: ${message}`),
    ...(example === undefined
      ? []
      : [`No event of its kind came. This would be one: ${JSON.stringify(example.fields)}`]),
  ];
}
