import { join } from 'node:path';
import { loadSqlite } from '../load-sqlite.ts';
import { VaultError } from '../vault-error.ts';

/** Lets one server at a time change a vault, so that a check and the change it allows stay together. */
export interface VaultLock extends Disposable {
  /** Runs the task while no other server of this vault runs one. */
  run<T>(task: () => T): T;
}

const patience = 5000;

/**
 * The lock of a vault, as a file in its cache folder. SQLite holds it, because the system releases
 * SQLite's locks when a process is killed. Without a cache folder only this process is kept in order.
 */
export function vaultLock(cache: string | undefined): VaultLock {
  let open: Lock | undefined;
  return {
    run(task) {
      open ??= openLock(cache);
      return open.run(task);
    },
    [Symbol.dispose]: () => open?.close(),
  };
}

interface Lock {
  run<T>(task: () => T): T;
  close(): void;
}

function openLock(cache: string | undefined): Lock {
  const sqlite = cache === undefined ? undefined : loadSqlite();
  if (cache === undefined || sqlite === undefined) return { run: (task) => task(), close() {} };
  const database = new sqlite.DatabaseSync(join(cache, 'lock.db'), { timeout: patience });
  return {
    run(task) {
      begin(() => database.exec('BEGIN IMMEDIATE'));
      try {
        return task();
      } finally {
        database.exec('ROLLBACK');
      }
    },
    close: () => database.close(),
  };
}

function begin(take: () => void): void {
  try {
    take();
  } catch (cause) {
    throw new VaultError(
      'conflict',
      'Another server is busy changing this vault. Nothing was changed; try again.',
      undefined,
      { cause },
    );
  }
}
