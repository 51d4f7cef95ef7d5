import type { ServerHealthStatus } from '@errand/host';

/** What is known about a server when it is put into words. */
export interface ServerStanding {
  readonly enabled: boolean;
  /** Switched off after repeated failures. */
  readonly autoDisabled: boolean;
  readonly trust: 'trusted' | 'new' | 'changed';
  readonly connectionState: ServerHealthStatus['connectionState'];
  /** What a server that is being connected waits for. */
  readonly step: { readonly name: string; readonly detail?: string } | null;
  readonly isRetrying: boolean;
  /** Failed retries so far, of `attempts`. */
  readonly attempt: number;
  readonly attempts: number;
  /** Why it is not connected, in the words of the face. */
  readonly problem: string | null;
  /** Why its last test failed, in the words of the face. */
  readonly failedTest: string | null;
}

/** How a server is, in words. */
export interface ServerWords {
  readonly state: string;
  readonly tone: 'neutral' | 'accent' | 'good' | 'warn' | 'bad';
  /** Something is happening right now. */
  readonly isLive: boolean;
  /** Why, or what to do about it. */
  readonly reason: string | null;
}

/** Says how a server is, and why. */
export function describeServerState(server: ServerStanding): ServerWords {
  const { connectionState, enabled, problem, step } = server;
  if (server.trust !== 'trusted') return waitingForYes(server.trust);
  if (server.autoDisabled) {
    return {
      state: 'Switched off after failures',
      tone: 'bad',
      isLive: false,
      reason: problem ?? 'It failed too often. Test it, and enable it again when it works.',
    };
  }
  if (!enabled) {
    const { failedTest } = server;
    return {
      state: 'Disabled',
      tone: 'neutral',
      isLive: false,
      reason: failedTest === null ? null : `Its test failed. ${failedTest}`,
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
        reason: step === null ? problem : stepInWords(step),
      };
    case 'error':
      return server.isRetrying
        ? { state: `Retrying: ${attemptOf(server)}`, tone: 'warn', isLive: true, reason: problem }
        : { state: 'Error', tone: 'bad', isLive: false, reason: problem };
    case 'disconnected':
      return {
        state: 'Not connected',
        tone: 'neutral',
        isLive: false,
        reason: problem ?? 'It is started when it is first used.',
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
function attemptOf({ attempt, attempts }: ServerStanding): string {
  return `attempt ${Math.min(attempt + 1, attempts)} of ${attempts}`;
}

/** `Fetching the image: 12 of 40 MB` */
export function stepInWords({ name, detail }: { name: string; detail?: string }): string {
  const words = stepNames[name] ?? name;
  return detail === undefined ? words : `${words}: ${detail}`;
}

const stepNames: Readonly<Record<string, string>> = {
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
