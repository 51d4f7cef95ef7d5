import { HostError, type HostErrorFacts } from '../host-error.ts';
import type { ServerConfig } from '../settings.ts';
import type { TrustRecord, TrustStore } from '../trust-store.ts';
import { type AssistantEntry, assistantClaim } from './assistant-claim.ts';
import { summariseLaunch } from './describe-launch.ts';
import { launchFingerprint } from './launch-fingerprint.ts';

/** Whether a person on this machine agreed to what an entry would start. */
export type TrustVerdict = 'trusted' | 'new' | 'changed';

/** Decides what may start. Settings travel with a vault; a stranger's commands must not run (D17). */
export interface Trust {
  verdict(server: ServerConfig): TrustVerdict;
  /** Why the server may not start: `untrusted`, with the command to type. */
  mayStart(server: ServerConfig): HostError | undefined;
  verdictOfAssistant(assistant: AssistantEntry): TrustVerdict;
  /** Why an assistant may not be used, in the same way: it sends what is asked, and a key, somewhere. */
  mayUse(assistant: AssistantEntry): HostError | undefined;
  /** Remembers that a person made these entries on this machine, or looked at them and said yes. */
  agree(servers: readonly ServerConfig[], assistants?: readonly AssistantEntry[]): Promise<void>;
  /** Forgets everything that was agreed to for this vault. */
  revoke(): Promise<void>;
  /** Stops following what other processes remember. */
  close(): void;
}

/** What an entry would do, and what makes it the one that was agreed to. */
export interface TrustClaim {
  readonly id: string;
  readonly fingerprint: string;
  /** `Server "notes"`. */
  readonly subject: string;
  /** What it would do, such as `run errand-vault`. */
  readonly does: string;
  readonly facts: HostErrorFacts;
}

export interface TrustOptions {
  /** Yes to everything for this run: `--trust`, or `ERRAND_TRUST=1`. */
  readonly trustAll?: boolean;
}

/** Opens the memory of one vault and follows it, so that a yes given elsewhere counts at once. */
export async function openTrust(
  store: TrustStore,
  { trustAll = false }: TrustOptions = {},
): Promise<Trust> {
  let record = await store.load();
  const follow = (loaded: TrustRecord) => {
    record = loaded;
  };
  // What cannot be read just now changes nothing: what was agreed to still holds, and no more.
  const stop = store.watch(() => void store.load().then(follow, () => {}));
  const may = (claim: TrustClaim | undefined) => {
    const verdict = judge(claim, record);
    if (trustAll || verdict === 'trusted' || claim === undefined) return undefined;
    return untrusted(claim, verdict);
  };
  return {
    verdict: (server) => judge(serverClaim(server), record),
    mayStart: (server) => may(serverClaim(server)),
    verdictOfAssistant: (assistant) => judge(assistantClaim(assistant), record),
    mayUse: (assistant) => may(assistantClaim(assistant)),
    async agree(servers, assistants = []) {
      const claims = [
        ...servers.map(serverClaim),
        ...assistants.flatMap((assistant) => assistantClaim(assistant) ?? []),
      ];
      record = await store.save((current) => {
        const agreed = claims.map(({ id, fingerprint }) => {
          const before = current.get(id);
          // What was noted of the same server stays.
          const isSame = before?.fingerprint === fingerprint;
          return [id, isSame ? before : { fingerprint }] as const;
        });
        return new Map([...current, ...agreed]);
      });
    },
    async revoke() {
      record = await store.save(() => new Map());
    },
    close: stop,
  };
}

function serverClaim(server: ServerConfig): TrustClaim {
  return {
    id: server.id,
    fingerprint: launchFingerprint(server),
    subject: `Server "${server.name}"`,
    does: summariseLaunch(server),
    facts: { server: server.name, neverSent: true },
  };
}

function judge(claim: TrustClaim | undefined, record: TrustRecord): TrustVerdict {
  if (claim === undefined) return 'trusted';
  const agreed = record.get(claim.id);
  if (agreed === undefined) return 'new';
  return agreed.fingerprint === claim.fingerprint ? 'trusted' : 'changed';
}

function untrusted({ subject, does, facts }: TrustClaim, verdict: 'new' | 'changed'): HostError {
  const what =
    verdict === 'new'
      ? 'came with this vault and nobody on this machine has agreed to it'
      : 'was changed since somebody on this machine agreed to it';
  return new HostError(
    'untrusted',
    `${subject} ${what}. It would ${does}. Look at it and agree with: errand trust`,
    facts,
  );
}
