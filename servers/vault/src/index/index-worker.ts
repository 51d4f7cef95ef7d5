import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { fromSystem } from '../files/system-error.ts';
import { vaultLock } from '../files/vault-lock.ts';
import { VaultError } from '../vault-error.ts';
import { countTags } from './count-tags.ts';
import { findBacklinks } from './find-backlinks.ts';
import { listNotes } from './list-notes.ts';
import type {
  FromWorker,
  IndexMethod,
  IndexMethods,
  ToWorker,
  WorkerError,
  WorkerStart,
} from './protocol.ts';
import type { QueryOptions } from './query-options.ts';
import { searchNotes } from './search-notes.ts';
import { VaultIndex } from './vault-index.ts';

// A thread of its own: SQLite and reading files would otherwise hold up every other call.
const { vault, cache } = workerData as WorkerStart;
const index = new VaultIndex({
  vault,
  lock: vaultLock(cache),
  file: cache === undefined ? undefined : join(cache, 'index.db'),
  watchLimit: watchLimit(),
  now: Date.now,
});
const statusPatience = 1000;
const running = new Map<number, AbortController>();

type Answers = {
  [M in IndexMethod]: (
    request: IndexMethods[M]['request'],
    asking: QueryOptions,
  ) => Promise<IndexMethods[M]['answer']> | IndexMethods[M]['answer'];
};

const answers: Answers = {
  search: (request, asking) => searchNotes(index, request, asking),
  list: (request, asking) => listNotes(index, request, asking),
  tags: (_, asking) => countTags(index, asking),
  backlinks: ({ path }, asking) => findBacklinks(index, path, asking),
  async status() {
    // Of a vault so large or slow that this is not enough, the count is what was met so far.
    await Promise.race([index.refresh().catch(() => {}), setTimeout(statusPatience)]);
    return index.status();
  },
};

parentPort?.on('message', (message: ToWorker) => {
  if (message.kind === 'ask') void answer(message);
  else if (message.kind === 'cancel') running.get(message.id)?.abort();
  else for (const path of message.paths) index.changed(path);
});

// If this fails, the first query reports why.
index.refresh().catch(() => {});

async function answer({ id, method, request }: ToWorker & { kind: 'ask' }): Promise<void> {
  const stopping = new AbortController();
  running.set(id, stopping);
  using _question = method === 'status' ? undefined : index.pauseIndexing();
  try {
    const asking = {
      signal: stopping.signal,
      progress: (done: number, total: number) => send({ kind: 'progress', id, done, total }),
    };
    send({ kind: 'answer', id, answer: await answers[method](request as never, asking) });
  } catch (error) {
    send({ kind: 'error', id, error: describe(error) });
  } finally {
    running.delete(id);
    index.reader[Symbol.dispose]();
  }
}

function describe(error: unknown): WorkerError {
  const known = error instanceof VaultError ? error : fromSystem(error);
  if (known !== undefined) {
    return { code: known.code, message: known.message, details: known.details };
  }
  return { code: undefined, message: (error as Error).stack ?? String(error), details: undefined };
}

function send(message: FromWorker): void {
  parentPort?.postMessage(message);
}

/** How many folders one program may watch without taking the system's watches from all others. */
function watchLimit(): number {
  if (process.platform !== 'linux') return Number.POSITIVE_INFINITY;
  try {
    const total = Number(readFileSync('/proc/sys/fs/inotify/max_user_watches', 'utf8'));
    return Math.floor(total / 2);
  } catch {
    // No such setting, as in some sandboxes: the system says so itself when it is enough.
    return Number.POSITIVE_INFINITY;
  }
}
