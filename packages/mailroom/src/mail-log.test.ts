import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openContainedRoot } from '@errand/files';
import { expect, onTestFinished, test } from 'vitest';
import { concerns, idsIn, logEntry, openMailLog } from './mail-log.ts';

test('lines of many mails at once are whole, in order, and none is lost', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'errand-mail-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const faults: unknown[] = [];
  const log = openMailLog({
    root: openContainedRoot(folder),
    now: () => Date.UTC(2026, 0, 1),
    onFault: (error) => void faults.push(error),
  });
  const numbers = Array.from({ length: 200 }, (_, at) => at);
  await Promise.all(
    numbers.map((at) =>
      log.write(at % 5 === 0 ? 'mcp_fallback' : 'decisions', { event: `e${at}` }),
    ),
  );
  const read = (name: string) =>
    readFileSync(join(folder, 'Logs', `${name}_2026-01-01.jsonl`), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).event);
  expect(read('mcp_fallback')).toEqual(numbers.filter((at) => at % 5 === 0).map((at) => `e${at}`));
  expect(read('decisions')).toEqual(numbers.filter((at) => at % 5 !== 0).map((at) => `e${at}`));
  expect(faults).toEqual([]);
});

test('each day has its files, by UTC, and they are read together, the newest line first', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'errand-mail-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  let now = Date.UTC(2026, 0, 1, 23, 59, 59);
  const log = openMailLog({
    root: openContainedRoot(folder),
    now: () => now,
    onFault: (error) => {
      throw error;
    },
  });
  await log.write('decisions', { event: 'decision', message_id: 'm1' });
  now += 2_000;
  await log.write('mcp_fallback', { event: 'mcp_fallback', severity: 'WARNING' });
  // The mail server writes its own file, and a line may be cut.
  const audit = { event: 'pre_send_audit', idempotency_key: 'd1.abc', timestamp: '2026-01-02T01' };
  const lines = `${JSON.stringify(audit)}\n{"event": "cu`;
  appendFileSync(join(folder, 'Logs/gmail_mcp_2026-01-02.jsonl'), lines);
  expect(readdirSync(join(folder, 'Logs')).sort()).toEqual([
    'decisions_2026-01-01.jsonl',
    'gmail_mcp_2026-01-02.jsonl',
    'mcp_fallback_2026-01-02.jsonl',
  ]);
  const read = async (ids?: readonly string[], limit = 10) => {
    const found = await log.read({ limit, ...(ids && { fits: (line) => concerns(line, ids) }) });
    return found.map((line) => line.event);
  };
  expect(await read()).toEqual(['pre_send_audit', 'mcp_fallback', 'decision']);
  expect(await read(undefined, 1)).toEqual(['pre_send_audit']);
  const ids = idsIn({ values: { message_id: 'm1', draft_id: 'd1' } });
  expect(await read(ids)).toEqual(['pre_send_audit', 'decision']);
  expect(logEntry(audit)).toMatchObject({ severity: 'INFO', draftId: 'd1' });
});
