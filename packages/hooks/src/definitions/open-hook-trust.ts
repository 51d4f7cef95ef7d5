import {
  hashJson,
  type LaunchFiles,
  type ServerConfig,
  type TrustRecord,
  type TrustStore,
} from '@errand/host';
import type { ActionOf, Hook } from '../hook-schema.ts';

/** Whether a person on this machine agreed to what a hook does. Hooks travel with a vault (D17). */
export interface HookTrust {
  /** `untrusted` was never agreed to, `changed` is another hook than the one that was. */
  verdict(hook: Hook): 'trusted' | 'untrusted' | 'changed';
  /** Remembers that a person made these hooks here, or agreed to them as they are now. */
  agree(hooks: readonly Hook[]): Promise<void>;
  revoke(hooks: readonly Hook[]): Promise<void>;
  /** Reads now what other processes remember, instead of waiting to hear of it. */
  refresh(): Promise<void>;
  /** Stops following what other processes remember. */
  close(): void;
}

export interface HookTrustOptions {
  /** Agrees to everything for this run: `--trust`, or `ERRAND_TRUST=1`. */
  readonly trustAll?: boolean;
  /** Hashes the files of the vault that programs of hooks are made of; without it files are not compared. */
  readonly launchFiles?: LaunchFiles;
}

/** Opens the agreements to the hooks of one vault, beside those to its servers and outside the vault. */
export async function openHookTrust(
  store: TrustStore,
  { trustAll = false, launchFiles }: HookTrustOptions = {},
): Promise<HookTrust> {
  let record: TrustRecord = await store.load();
  const fingerprint = (hook: Hook) => hookFingerprint(hook, launchFiles);
  // If the agreements cannot be read, the last known ones stay in force.
  const refresh = () =>
    store.load().then(
      (loaded) => {
        record = loaded;
      },
      () => {},
    );
  const stop = store.watch(() => void refresh());
  return {
    verdict(hook) {
      if (trustAll) return 'trusted';
      const agreed = record.get(keyOf(hook));
      if (agreed === undefined) return 'untrusted';
      return agreed.fingerprint === fingerprint(hook) ? 'trusted' : 'changed';
    },
    async agree(hooks) {
      const agreed = hooks.map(
        (hook) => [keyOf(hook), { fingerprint: fingerprint(hook) }] as const,
      );
      record = await store.save((current) => new Map([...current, ...agreed]));
    },
    async revoke(hooks) {
      const keys = new Set(hooks.map(keyOf));
      record = await store.save((all) => new Map([...all].filter(([key]) => !keys.has(key))));
    },
    refresh,
    close: stop,
  };
}

/** Servers and assistants are in the same record, by ids of their own. */
function keyOf({ id }: Hook): string {
  return `hook:${id}`;
}

/** A hash of all that decides when a hook runs, how often, and what it does. */
export function hookFingerprint(
  { trigger, conditions, mode, max, runsPerHour, actions }: Hook,
  launchFiles?: LaunchFiles,
): string {
  const files = actions.flatMap((action) => {
    if (action.type !== 'custom' || launchFiles === undefined) return [];
    // Notes are what a program works on: they change every day and decide nothing of what runs.
    return launchFiles.of(launchOf(action)).filter(({ path }) => !isNote(path));
  });
  return hashJson({ trigger, conditions, mode, max, runsPerHour, actions, files });
}

function isNote(path: string): boolean {
  return /\.(md|markdown|txt|csv|canvas|base)$/i.test(path);
}

/** The program of an action as the entry of a server, whose files are found in the same way. */
function launchOf({
  parameters: { command, args = [], cwd = '.' },
}: ActionOf<'custom'>): ServerConfig {
  return {
    id: '',
    name: '',
    transport: 'stdio',
    deploymentType: 'local',
    localConfig: { command, args, cwd },
    enabled: false,
    failureCount: 0,
    autoDisabled: false,
    sectionBindings: [],
  };
}
