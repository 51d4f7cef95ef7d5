import type { ServerSnapshot } from '@errand/host';
import { countdown } from '../text/index.ts';

/** A server's state without its configuration. */
export type ServerCondition = Omit<ServerSnapshot, 'config'>;

/** A server's state as an app shows it. */
export interface StateDescription {
  readonly label: string;
  readonly tone: 'neutral' | 'accent' | 'good' | 'warn' | 'bad';
  /** Something is happening right now. */
  readonly isLive: boolean;
  /** Why it is so, or what to do about it. */
  readonly reason: string | null;
}

interface DescribeOptions {
  /** Renders a failure for the app that shows it. */
  readonly say: (failure: NonNullable<ServerSnapshot['reason']>) => string;
  /** Why the server's last test failed, already rendered. */
  readonly failedTest?: string | undefined;
}

/** Describes a server's state and the reason for it. */
export function describeServerState(
  server: ServerCondition,
  { say, failedTest }: DescribeOptions,
): StateDescription {
  const { connectionState, enabled, step, retryState } = server;
  const problem = server.reason === undefined ? null : say(server.reason);
  if (server.trust !== 'trusted') return needsApproval(server.trust);
  if (server.autoDisabled) {
    return {
      label: 'Disabled after failures',
      tone: 'bad',
      isLive: false,
      reason: problem ?? 'It failed too often. Test it, and enable it again when it works.',
    };
  }
  if (!enabled) {
    return {
      label: 'Disabled',
      tone: 'neutral',
      isLive: false,
      reason: failedTest === undefined ? null : `Its test failed. ${failedTest}`,
    };
  }
  switch (connectionState) {
    case 'connected':
      return { label: 'Connected', tone: 'good', isLive: false, reason: null };
    case 'connecting':
      return {
        label: retryState.isRetrying ? `Reconnecting, ${attemptOf(server)}` : 'Connecting',
        tone: 'accent',
        isLive: true,
        reason: step === undefined ? problem : describeStep(step),
      };
    case 'error':
      return retryState.isRetrying
        ? { label: `Retrying: ${attemptOf(server)}`, tone: 'warn', isLive: true, reason: problem }
        : { label: 'Error', tone: 'bad', isLive: false, reason: problem };
    case 'disconnected':
      return {
        label: 'Not connected',
        tone: 'neutral',
        isLive: false,
        reason: problem ?? 'It is started when it is first used.',
      };
  }
}

/** A state in a list: `Retrying: attempt 2 of 3, next try in 4 s`. */
export function stateLine(
  { label }: Pick<StateDescription, 'label'>,
  { retryState: { nextRetryAt } }: Pick<ServerCondition, 'retryState'>,
  now: number,
): string {
  return nextRetryAt === undefined ? label : `${label}, next try ${countdown(nextRetryAt - now)}`;
}

function needsApproval(trust: 'new' | 'changed'): StateDescription {
  return {
    label: 'Needs approval',
    tone: 'warn',
    isLive: false,
    reason:
      trust === 'new'
        ? 'It came with this vault. Nothing of it is started before you agree.'
        : 'What it starts has changed since you agreed. Nothing of it is started before you agree again.',
  };
}

/** The retry that comes next or is under way. */
function attemptOf({ retryState: { currentAttempt, backoffIntervals } }: ServerCondition): string {
  const attempts = backoffIntervals.length;
  return `attempt ${Math.min(currentAttempt + 1, attempts)} of ${attempts}`;
}

/** `Pulling the image: 12 of 40 MB` */
export function describeStep({ name, detail }: { name: string; detail?: string }): string {
  const words = stepNames[name] ?? name;
  return detail === undefined ? words : `${words}: ${detail}`;
}

const stepNames: Readonly<Record<string, string>> = {
  start: 'Starting',
  pull: 'Pulling the image',
  handshake: 'Connecting',
  tools: 'Listing its tools',
  ping: 'Checking its health',
};

/** `1 tool`, `12 tools`. */
export function toolCount(number: number): string {
  return `${number} ${number === 1 ? 'tool' : 'tools'}`;
}
