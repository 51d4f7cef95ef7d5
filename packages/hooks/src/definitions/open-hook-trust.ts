import {
  type Agreement,
  hashJson,
  type LaunchFile,
  type LaunchFiles,
  type ServerConfig,
  type TrustRecord,
  type TrustStore,
} from '@errand/host';
import type { ActionOf, Hook } from '../hook-schema.ts';
import { withoutOutputs } from './without-outputs.ts';

/** Whether a person on this machine agreed to what a hook does. Hooks travel with a vault (D17). */
export interface HookTrust {
  /** `untrusted` was never agreed to, `changed` is another hook than the one that was. */
  verdict(hook: Hook): 'trusted' | 'untrusted' | 'changed';
  /** Remembers that a person made these hooks here, or agreed to them as they are now. */
  agree(hooks: readonly Hook[]): Promise<void>;
  revoke(hooks: readonly Hook[]): Promise<void>;
  /**
   * A program of the hook begins; disposing of the answer says that it has ended. A file that its command line names
   * and that was not there before is its own: it may be what the hook left of it.
   */
  beginAction(hook: Hook): AsyncDisposable;
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
  /** Hooks whose programs run, with the files that were there before and are not their own. */
  const acting = new Map<string, { count: number; readonly foreign: ReadonlySet<string> }>();
  const isOwn = (hook: Hook, { path, identity }: LaunchFile) =>
    acting.get(hook.id)?.foreign.has(path) === false ||
    ownFiles(record.get(keyOf(hook)))[path] === identity;
  const fingerprint = (hook: Hook) =>
    hookFingerprint(hook, launchFiles, (file) => isOwn(hook, file));
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
      const agreed = hooks.map((hook) => {
        // What was its own stays so, as it is now.
        const before = ownFiles(record.get(keyOf(hook)));
        const files = filesOf(hook, launchFiles).filter(({ path }) => Object.hasOwn(before, path));
        const paths = new Set(files.map(({ path }) => path));
        const seen = hookFingerprint(hook, launchFiles, ({ path }) => paths.has(path));
        return [keyOf(hook), { fingerprint: seen, ...(paths.size > 0 && own(files)) }] as const;
      });
      record = await store.save((current) => new Map([...current, ...agreed]));
    },
    async revoke(hooks) {
      const keys = new Set(hooks.map(keyOf));
      record = await store.save((all) => new Map([...all].filter(([key]) => !keys.has(key))));
    },
    beginAction(hook) {
      const key = keyOf(hook);
      const agreed = trustAll ? undefined : record.get(key);
      const before = filesOf(hook, launchFiles, { isFresh: true });
      const foreign = new Set(before.filter((file) => !isOwn(hook, file)).map(({ path }) => path));
      const entry = acting.get(hook.id) ?? { count: 0, foreign };
      acting.set(hook.id, { ...entry, count: entry.count + 1 });
      return {
        async [Symbol.asyncDispose]() {
          const made = filesOf(hook, launchFiles, { isFresh: true }).filter(
            ({ path }) => !entry.foreign.has(path),
          );
          if (agreed !== undefined && made.length > 0) {
            record = await store.save((current) => {
              const now = current.get(key);
              // Somebody agreed to something else meanwhile, or to nothing any more.
              if (now?.fingerprint !== agreed.fingerprint) return current;
              return new Map([...current, [key, { ...now, ...own(made) }]]);
            });
          }
          const left = (acting.get(hook.id)?.count ?? 1) - 1;
          if (left > 0) acting.set(hook.id, { ...entry, count: left });
          else acting.delete(hook.id);
        },
      };
    },
    refresh,
    close: stop,
  };
}

/** Servers and assistants are in the same record, by ids of their own. */
function keyOf({ id }: Hook): string {
  return `hook:${id}`;
}

/** A hash of all that decides when a hook runs, how often, and what it does; its own files are left out. */
export function hookFingerprint(
  hook: Hook,
  launchFiles?: LaunchFiles,
  isOwn: (file: LaunchFile) => boolean = () => false,
): string {
  const { trigger, conditions, mode, max, runsPerHour, actions } = hook;
  const files = filesOf(hook, launchFiles).filter((file) => !isOwn(file));
  return hashJson({ trigger, conditions, mode, max, runsPerHour, actions, files });
}

/** The files of the vault that programs of a hook are made of, as far as they are there. */
function filesOf(
  { actions }: Hook,
  launchFiles: LaunchFiles | undefined,
  options?: { readonly isFresh: boolean },
): readonly LaunchFile[] {
  return actions.flatMap((action) => {
    if (action.type !== 'custom' || launchFiles === undefined) return [];
    // Notes are what a program works on: they change every day and decide nothing of what runs. What it only writes
    // to changes with every run.
    const named = launchFiles.of(launchOf(action), options);
    return named.filter(({ path, identity }) => identity !== 'missing' && !isNote(path));
  });
}

/** What a hook made of files that were not there when somebody agreed to it. */
function ownFiles(agreement: Agreement | undefined): Readonly<Record<string, string>> {
  return agreement?.files ?? {};
}

function own(files: readonly LaunchFile[]) {
  return { files: Object.fromEntries(files.map(({ path, identity }) => [path, identity])) };
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
    localConfig: { command, args: withoutOutputs(command, args), cwd },
    enabled: false,
    failureCount: 0,
    autoDisabled: false,
    sectionBindings: [],
  };
}
