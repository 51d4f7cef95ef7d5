import { type ExitCode, exitCode } from './exit-code.ts';
import { table } from './table.ts';
import type { Terminal } from './terminal.ts';

/** One thing that was looked at before a program starts. */
export interface CheckedPoint {
  readonly point: string;
  readonly isFine: boolean;
  readonly detail: string;
}

/** Prints what `--check` found; the exit code says whether the program would work. */
export function printPoints(
  points: readonly CheckedPoint[],
  { stdout }: Pick<Terminal, 'stdout'>,
  json = false,
): ExitCode {
  const isFine = points.every((point) => point.isFine);
  if (json) stdout.write(`${JSON.stringify({ isFine, points }, undefined, 2)}\n`);
  else {
    const rows = points.map((each) => [each.isFine ? 'ok' : 'WRONG', each.point, each.detail]);
    stdout.write(table(rows));
  }
  return isFine ? exitCode.ok : exitCode.usage;
}
