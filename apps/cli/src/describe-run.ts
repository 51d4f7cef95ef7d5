import type { BlockOutcome, NoteRun } from '@errand/host';
import { advisedText } from './advice.ts';
import { seconds } from './seconds.ts';
import { table } from './table.ts';

/** A run as a person reads it: a line for each block, what went wrong, and what became of the note. */
export function describeRun({ note, changed, results }: NoteRun, limit?: number): string {
  if (results.length === 0) return `${note}: no tool blocks to run.\n`;
  const rows = results.map((run) => [
    `  line ${run.line}`,
    [run.server, run.tool].filter(Boolean).join(' '),
    words[run.status],
    run.attempts === 0 ? '' : seconds(run.durationMs),
  ]);
  const lines = table(rows).trimEnd().split('\n');
  const body = results.map(({ error }, index) => {
    const reason = error === null ? '' : advisedText(failureOf(error, limit), {}, '    ');
    return `${lines[index]}\n${reason}`;
  });
  return `${note}\n${body.join('')}${summary(results, changed)}\n`;
}

/** The session of a run with `--limit` is the run itself, so there is nothing to reset. */
function failureOf(error: NonNullable<BlockOutcome['error']>, limit: number | undefined) {
  return error.code === 'session_limit' && limit !== undefined
    ? { message: `Stopped after ${limit} ${limit === 1 ? 'call' : 'calls'} (--limit).` }
    : error;
}

const words: Readonly<Record<BlockOutcome['status'], string>> = {
  success: 'done',
  error: 'failed',
  timeout: 'timed out',
  cancelled: 'cancelled',
  skipped: 'skipped',
  refused: 'refused',
};

function summary(results: readonly BlockOutcome[], changed: boolean): string {
  const counts = Object.entries(words)
    .map(([status, word]) => ({
      word,
      count: results.filter((run) => run.status === status).length,
    }))
    .filter(({ count }) => count > 0)
    .map(({ word, count }) => `${count} ${word}`);
  return `${counts.join(', ')}. ${changed ? 'The note has changed.' : 'The note is unchanged.'}`;
}
