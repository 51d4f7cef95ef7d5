import { join } from 'node:path';
import {
  FilesError,
  type LocatedFile,
  locateFile,
  openContainedRoot,
  openFolder,
  pollFiles,
  readFileBelow,
  replaceFile,
  systemReason,
  withFileLock,
} from '@errand/files';
import { catchFaults, HostError, type OnFault } from '@errand/host';
import type { Hook } from '../hook-schema.ts';
import { changeHookText } from './change-hook-text.ts';
import { type ParsedHooks, parseHooks } from './parse-hooks.ts';

/** The hooks of a vault in `.errand/hooks.json`. */
export interface HookStore {
  /** A file that is missing holds no hooks; one that cannot be read is a problem. */
  load(): Promise<ParsedHooks>;
  /** Calls back after the file changed, whoever changed it; returns a function that stops it. */
  watch(listener: () => void): () => void;
  /**
   * Applies a change to what the file holds now. Formatting, comments, unknown fields and broken entries stay.
   * Rejects with `settings_invalid`, and stores nothing, when a hook could not be read afterwards.
   */
  save(change: (hooks: readonly Hook[]) => readonly Hook[]): Promise<void>;
}

export interface HookStoreOptions {
  /** The id of a server by its id or name; undefined when there is none. */
  readonly findServerId?: (idOrName: string) => string | undefined;
  /** Milliseconds since 1970, for `createdAt` and `modifiedAt`. */
  readonly now?: () => number;
  /** Told when a listener of `watch` throws; it is called again for the next change. */
  readonly onFault?: OnFault;
}

/** Opens the hooks of the vault in a folder. */
export function openHookStore(
  folder: string,
  { findServerId, now = Date.now, onFault = () => {} }: HookStoreOptions = {},
): HookStore {
  return {
    async load() {
      try {
        const text = await readText(folder);
        return text === undefined ? { hooks: [], problems: [] } : parseHooks(text);
      } catch (error) {
        const { message } = explain(error, 'read');
        return { hooks: [], problems: [{ message, line: 1, column: 1, mayGuard: true }] };
      }
    },
    watch: (listener) => watchFile(join(folder, ...segments), catchFaults(listener, onFault)),
    async save(change) {
      try {
        using file = locate(folder);
        await withFileLock(file, async () => {
          for (;;) {
            const before = await readText(folder);
            const after = changeHookText(before, change, {
              now: now(),
              ...(findServerId && { findServerId }),
            });
            if (after === undefined || after === before) return;
            // An editor knows nothing of our lock: what it saved meanwhile is changed in turn.
            const isStillWanted = async () => (await readText(folder)) === before;
            if (await replaceFile(file, after, { isStillWanted })) return;
          }
        });
      } catch (error) {
        throw explain(error, 'written');
      }
    },
  };
}

const name = '.errand/hooks.json';
const segments = name.split('/');
/** The file may be a link to another place in the vault. */
const policy = { links: 'inside' } as const;
const maximumSize = 4 * 1024 * 1024;

async function readText(folder: string): Promise<string | undefined> {
  try {
    const options = { ...policy, maximumSize };
    const bytes = await readFileBelow(openContainedRoot(folder), segments, options);
    return bytes.toString('utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Where the file is, or where it will be. */
function locate(path: string): LocatedFile {
  const root = openContainedRoot(path);
  try {
    return locateFile(root, segments, policy);
  } catch (error) {
    if (!isMissing(error)) throw error;
    const folder = openFolder(root, segments.slice(0, -1), { ...policy, create: true });
    const last = segments.at(-1) ?? '';
    return { root, folder, name: last, segments, [Symbol.dispose]: folder[Symbol.dispose] };
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return code === 'missing' || code === 'ENOENT';
}

function explain(cause: unknown, action: 'read' | 'written'): Error {
  if (cause instanceof FilesError) {
    return refused(`${name} cannot be ${action}: ${cause.message}`, cause);
  }
  if (cause instanceof Error && 'syscall' in cause) {
    const advice = 'Check the rights of the file and its folder, and the space left.';
    return refused(`${name} cannot be ${action} (${systemReason(cause)}). ${advice}`, cause);
  }
  return cause instanceof Error ? cause : new Error(String(cause));
}

function refused(message: string, cause: Error): HostError {
  return new HostError('settings_invalid', message, {}, { cause });
}

function watchFile(path: string, listener: () => void): () => void {
  const stop = new AbortController();
  void (async () => {
    let isFirst = true;
    for await (const _ of pollFiles([path], stop.signal, { ref: false })) {
      if (!isFirst && !stop.signal.aborted) listener();
      isFirst = false;
    }
  })();
  return () => stop.abort();
}
