/** A note, and perhaps a line of it, as `--note` names them. */
export interface NoteOption {
  readonly note: string;
  readonly line?: string;
}

/** Reads `NOTE:LINE`; lines are counted from 1. */
export function noteAndLine(value: string): NoteOption {
  const [, note = value, line] = /^(.+?)(?::([1-9]\d*))?$/s.exec(value) ?? [];
  return { note, ...(line !== undefined && { line }) };
}
