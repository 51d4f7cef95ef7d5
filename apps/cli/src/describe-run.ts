import { duration } from '@errand/document/display';
import type { BlockOutcome, NoteRun } from '@errand/host';
import { countOutcomes, isAlreadyDone, outcomeLabel } from '@errand/workspace/runs';
import { advisedText } from './advice.ts';
import { markLines } from './mark-lines.ts';
import { outcomeTones, type Paint, paintColumn } from './paint.ts';
import { table } from './table.ts';

/** A run as a person reads it: a line for each block, what went wrong, and what became of the note. */
export function describeRun(
  { note, changed, results }: NoteRun,
  limit?: number,
  paint?: Paint,
): string {
  if (results.length === 0) return `${note}: no tool blocks to run.\n`;
  const rows = results.map((run) => [
    `  line ${run.line}`,
    [run.server ?? run.language, run.tool].filter(Boolean).join(' '),
    outcomeLabel(run),
    run.attempts === 0 ? '' : duration(run.durationMs),
  ]);
  const tones = results.map(({ status }) => outcomeTones[status]);
  const lines = table(rows, paintColumn(paint, 2, tones))
    .trimEnd()
    .split('\n');
  const body = results.map((run, index) => {
    const { error } = run;
    const isSaid = error === null || isAlreadyDone(run);
    const reason = isSaid ? '' : advisedText(failureOf(error, limit), {}, '    ');
    const output = error?.lastOutput
      ? `    Last output of the server:\n${markLines(error.lastOutput, {}, '    ')}`
      : '';
    return `${lines[index]}\n${reason}${output}`;
  });
  const effect = changed ? 'The note has changed.' : 'The note is unchanged.';
  const left = results.filter(isAlreadyDone).length;
  const others = countOutcomes(results.filter((run) => !isAlreadyDone(run)));
  const summary = [
    ...(others === '' ? [] : [`${others}. ${effect}`]),
    ...(left === 0
      ? []
      : [`${left} already done; run ${left === 1 ? 'it' : 'them'} again with --again.`]),
  ];
  return `${note}\n${body.join('')}${summary.join('\n')}\n`;
}

/** The session of a run with `--limit` is the run itself, so there is nothing to reset. */
function failureOf(error: NonNullable<BlockOutcome['error']>, limit: number | undefined) {
  return error.code === 'session_limit' && limit !== undefined
    ? { message: `Stopped after ${limit} ${limit === 1 ? 'call' : 'calls'} (--limit).` }
    : error;
}
