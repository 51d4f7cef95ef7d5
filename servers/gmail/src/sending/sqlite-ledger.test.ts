import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { testLedger } from '../testing/ledger-contract.ts';
import { openSqliteLedger } from './sqlite-ledger.ts';

function openPair() {
  const folder = mkdtempSync(join(tmpdir(), 'errand-ledger-'));
  const file = join(folder, 'ledger.sqlite');
  const [first, second] = [openSqliteLedger(file), openSqliteLedger(file)];
  return {
    file,
    first,
    second,
    async makeOlder(milliseconds: number) {
      using database = new DatabaseSync(file);
      database
        .prepare('UPDATE sends SET changed_at = changed_at - ?, created_at = created_at - ?')
        .run(milliseconds, milliseconds);
    },
    reopen: async () => openSqliteLedger(file),
    async [Symbol.asyncDispose]() {
      await Promise.all([first, second].map((ledger) => ledger[Symbol.asyncDispose]()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

testLedger(async () => openPair());

test('leaves a file alone that a newer version has made', async () => {
  await using pair = openPair();
  {
    using database = new DatabaseSync(pair.file);
    database.exec('PRAGMA user_version = 9');
  }
  expect(() => openSqliteLedger(pair.file)).toThrow('newer version');
});
