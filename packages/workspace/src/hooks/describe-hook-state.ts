import type { HookRun, HookView } from '@errand/hooks';

type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad';
type HookFault = HookView['faults'][number];

/** How a hook is, as its row says it. */
export interface HookState {
  readonly label: string;
  readonly tone: Tone;
  readonly isLive?: boolean;
  /** Why it does not run, and what to do. */
  readonly reason?: string;
}

/** Labels and tones of runs and actions, by status. */
export const hookOutcomes: Readonly<
  Record<HookRun['status'], { readonly label: string; readonly tone: Tone }>
> = {
  success: { label: 'Succeeded', tone: 'good' },
  failure: { label: 'Failed', tone: 'bad' },
  skipped: { label: 'Skipped', tone: 'neutral' },
  timeout: { label: 'Timed out', tone: 'bad' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
  running: { label: 'Running', tone: 'accent' },
  queued: { label: 'Waiting', tone: 'neutral' },
  lost: { label: 'Lost', tone: 'bad' },
};

/** The state of a hook; what keeps it from running comes first. `say` words a fault with what an app offers against it. */
export function hookState(view: HookView, say: (fault: HookFault) => string): HookState {
  const { hook, verdict, pausedAt, faults, active, lastRun } = view;
  if (verdict !== 'trusted') {
    const isNew = verdict === 'untrusted';
    return {
      label: isNew ? 'Needs your approval' : 'Changed since you agreed',
      tone: 'warn',
      reason: isNew
        ? 'It came with this vault. It does not run before you agree.'
        : 'It was changed elsewhere. It does not run before you agree again.',
    };
  }
  const reasons = faults.map(say).join(' ');
  if (isInvalidHook(view)) return { label: 'Invalid', tone: 'bad', reason: reasons };
  if (!hook.enabled) return { label: 'Off', tone: 'neutral' };
  if (pausedAt !== undefined) {
    const reason = `It ran ${hook.runsPerHour} times in an hour. Switch it on to let it run again.`;
    return { label: 'Paused', tone: 'warn', reason };
  }
  if (active > 0) {
    return {
      label: active === 1 ? 'Running' : `Running (${active})`,
      tone: 'accent',
      isLive: true,
    };
  }
  if (faults.length > 0) return { label: 'Needs attention', tone: 'warn', reason: reasons };
  return lastRun === undefined
    ? { label: 'Never ran', tone: 'neutral' }
    : hookOutcomes[lastRun.status];
}

/** Whether a server or tool of a hook is gone, so that it must be updated or removed. */
export function isInvalidHook({ faults }: Pick<HookView, 'faults'>): boolean {
  return faults.some(({ code }) => code === 'server_removed' || code === 'tool_removed');
}
