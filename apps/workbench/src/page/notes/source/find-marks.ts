import type { NoteReading } from '../../../contract.ts';

/** A diagnostic of a line. */
export interface LineMark {
  readonly line: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** The diagnostics of a note, by line; a mistake in its properties is marked there, not at each block. */
export function findMarks({ blocks, sections, problems }: NoteReading): readonly LineMark[] {
  const told = new Set(problems.map(({ message }) => message));
  const closed = sections.filter(({ isRefused, why }) => isRefused && told.has(why ?? ''));
  const isTold = ({ code, line }: NonNullable<NoteReading['blocks'][number]['problem']>) =>
    code === 'section_forbids' && closed.some((part) => part.line <= line && line <= part.endLine);
  return [
    ...blocks.flatMap(({ problem, mistakes }) => [
      ...(problem === null || isTold(problem) ? [] : [mark(problem, 'error')]),
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
