import { HostError } from '../host-error.ts';
import type { ServerConfig } from '../settings.ts';
import type { TrustRecord, TrustStore } from '../trust-store.ts';
import { summariseLaunch } from './describe-launch.ts';
import { launchFingerprint } from './launch-fingerprint.ts';

/** Whether a person on this machine agreed to what an entry would start. */
export type TrustVerdict = 'trusted' | 'new' | 'changed';

/** Decides what may start. Settings travel with a vault; a stranger's commands must not run (D17). */
export interface Trust {
  verdict(server: ServerConfig): TrustVerdict;
  /** Why the server may not start: `untrusted`, with the command to type. */
  mayStart(server: ServerConfig): HostError | undefined;
  /** Remembers that a person made these entries on this machine, or looked at them and said yes. */
  agree(servers: readonly ServerConfig[]): Promise<void>;
  /** Forgets everything that was agreed to for this vault. */
  revoke(): Promise<void>;
  /** Stops following what other processes remember. */
  close(): void;
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
  return {
    verdict: (server) => judge(server, record),
    mayStart(server) {
      const verdict = judge(server, record);
      return trustAll || verdict === 'trusted' ? undefined : untrusted(server, verdict);
    },
    async agree(servers) {
      const agreed = servers.map((server) => [server.id, launchFingerprint(server)] as const);
      record = await store.save((current) => new Map([...current, ...agreed]));
    },
    async revoke() {
      record = await store.save(() => new Map());
    },
    close: stop,
  };
}

function judge(server: ServerConfig, record: TrustRecord): TrustVerdict {
  const agreed = record.get(server.id);
  if (agreed === undefined) return 'new';
  return agreed === launchFingerprint(server) ? 'trusted' : 'changed';
}

function untrusted(server: ServerConfig, verdict: 'new' | 'changed'): HostError {
  const what =
    verdict === 'new'
      ? 'came with this vault and nobody on this machine has agreed to it'
      : 'was changed since somebody on this machine agreed to it';
  return new HostError(
    'untrusted',
    `Server "${server.name}" ${what}. It would ${summariseLaunch(server)}. Look at it and agree with: errand trust`,
    { server: server.name, neverSent: true },
  );
}
