import type { TestStep } from '../servers/test-server.ts';
import type { ServerView } from './server-view.ts';

/** How a server is, in words. */
export interface ServerWords {
  readonly state: string;
  readonly tone: 'neutral' | 'accent' | 'good' | 'warn' | 'bad';
  /** Something is happening right now. */
  readonly isLive: boolean;
  /** Why, or what to do about it. */
  readonly reason: string | null;
}

/** Says how a server is; `inWords` says what a message advises in the words of the place where it is read. */
export function describeState(
  server: ServerView & {
    readonly test: { readonly error: { readonly message: string } | null } | null;
  },
  inWords: (message: string) => string,
): ServerWords {
  const { connectionState, enabled, problem, step } = server;
  const reason = problem === null ? null : inWords(problem.message);
  if (server.trust !== 'trusted') return waitingForYes(server.trust);
  if (server.autoDisabled) {
    return {
      state: 'Switched off after failures',
      tone: 'bad',
      isLive: false,
      reason: reason ?? 'It failed too often. Test it, and enable it again when it works.',
    };
  }
  if (!enabled) {
    const failed = server.test?.error;
    return {
      state: 'Disabled',
      tone: 'neutral',
      isLive: false,
      reason: failed ? `Its test failed. ${inWords(failed.message)}` : null,
    };
  }
  switch (connectionState) {
    case 'connected':
      return { state: 'Connected', tone: 'good', isLive: false, reason: null };
    case 'connecting':
      return {
        state: server.isRetrying ? `Trying again, ${attemptOf(server)}` : 'Connecting',
        tone: 'accent',
        isLive: true,
        reason: step === null ? reason : stepInWords(step),
      };
    case 'error':
      return server.isRetrying
        ? { state: `Retrying: ${attemptOf(server)}`, tone: 'warn', isLive: true, reason }
        : { state: 'Error', tone: 'bad', isLive: false, reason };
    case 'disconnected':
      return {
        state: 'Not connected',
        tone: 'neutral',
        isLive: false,
        reason: reason ?? 'It is started when it is first used.',
      };
  }
}

function waitingForYes(trust: 'new' | 'changed'): ServerWords {
  return {
    state: 'Waiting for your yes',
    tone: 'warn',
    isLive: false,
    reason:
      trust === 'new'
        ? 'It came with this vault. Nothing of it is started before you agree.'
        : 'What it starts has changed since you agreed. Nothing of it is started before you agree again.',
  };
}

/** The retry that comes next or is under way. */
function attemptOf({ attempt, attempts }: ServerView): string {
  return `attempt ${Math.min(attempt + 1, attempts)} of ${attempts}`;
}

/** `Fetching the image: 12 of 40 MB` */
export function stepInWords({ name, detail }: { name: string; detail?: string }): string {
  const words = stepNames[name as TestStep['name']] ?? name;
  return detail === undefined ? words : `${words}: ${detail}`;
}

const stepNames: Readonly<Record<TestStep['name'], string>> = {
  start: 'Starting it',
  pull: 'Fetching the image',
  handshake: 'Saying hello',
  tools: 'Reading its tools',
  ping: 'Asking whether it is well',
};

/** `1 tool`, `12 tools`. */
export function toolCount(number: number): string {
  return `${number} ${number === 1 ? 'tool' : 'tools'}`;
}
