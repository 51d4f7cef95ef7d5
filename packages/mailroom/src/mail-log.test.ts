import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openContainedRoot } from '@errand/files';
import { expect, onTestFinished, test } from 'vitest';
import { openMailLog } from './mail-log.ts';

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
