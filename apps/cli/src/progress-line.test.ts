import { PassThrough } from 'node:stream';
import type { ToolBlock } from '@errand/document';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { progressLine } from './progress-line.ts';
import { RunProgress } from './run-progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function screen() {
  return Object.assign(new PassThrough(), { isTTY: true, columns: 60, rows: 24 });
}

/** What was written since the last time. */
function written(stream: PassThrough): string {
  return String(stream.read() ?? '');
}

test('the progress line draws nothing over a question until it is answered', async () => {
  const stderr = screen();
  using line = await progressLine({ stderr });
  line.show('asker ask');
  vi.advanceTimersByTime(2000);
  expect(written(stderr)).toContain('asker ask  2 s');
  const first = line.hold();
  const second = line.hold();
  written(stderr);
  line.show('asker ask: half of it');
  vi.advanceTimersByTime(5000);
  first[Symbol.dispose]();
  vi.advanceTimersByTime(5000);
  expect(written(stderr)).toBe('');
  second[Symbol.dispose]();
  vi.advanceTimersByTime(1000);
  expect(written(stderr)).toContain('half of it');
});

test('the lines of a run draw nothing over a question until it is answered', async () => {
  const stderr = screen();
  using progress = await RunProgress.open(stderr);
  const block = { line: 3, server: 'asker', tool: 'ask' } as ToolBlock;
  progress.show({ kind: 'state', block, state: { status: 'executing' } } as never);
  vi.advanceTimersByTime(300);
  expect(written(stderr)).toContain('asker ask');
  const held = progress.hold();
  written(stderr);
  vi.advanceTimersByTime(1000);
  expect(written(stderr)).toBe('');
  held[Symbol.dispose]();
  vi.advanceTimersByTime(100);
  expect(written(stderr)).toContain('asker ask');
});
