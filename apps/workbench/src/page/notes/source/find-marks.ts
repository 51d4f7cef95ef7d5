import type { NoteReading } from '../../../contract.ts';

/** A diagnostic of a line. */
export interface LineMark {
  readonly line: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** The diagnostics of a note, by line. */
export function findMarks({ blocks, problems }: NoteReading): readonly LineMark[] {
  return [
    ...blocks.flatMap(({ problem, mistakes }) => [
      ...(problem === null ? [] : [mark(problem, 'error')]),
      ...mistakes.map((mistake) => mark(mistake, 'warning')),
    ]),
    ...problems.map(({ line, message }) => mark({ line: line ?? 1, message }, 'error')),
  ];
}

function mark(
  { line, message }: { readonly line: number; readonly message: string },
  severity: LineMark['severity'],
): LineMark {
  return { line, message, severity };
}
