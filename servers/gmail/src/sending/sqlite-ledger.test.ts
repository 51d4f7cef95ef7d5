import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { testLedger } from '../testing/ledger-contract.ts';
import { openLedger } from './open-ledger.ts';
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

test('names a file that is no ledger, and leaves it as it is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'errand-ledger-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'ledger.sqlite');
  writeFileSync(file, 'something else '.repeat(100));
  const open = () => openLedger(file, {} as Parameters<typeof openLedger>[1]);
  expect(open).toThrow(`The ledger of sent mails ${file} cannot be opened (file is not a database`);
  expect(readFileSync(file, 'utf8')).toMatch(/^something else/);
});
