/** How a command ends; others rely on these numbers. */
export const exitCode = {
  ok: 0,
  /** A call failed, a block is invalid, or its server is disabled. */
  failed: 1,
  /** Wrong usage or settings, or an entry nobody trusted yet. */
  usage: 2,
  /** Refused: an edited result, a changed note, a section that forbids. */
  refused: 3,
  cancelled: 130,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

const precedence: readonly ExitCode[] = [
  exitCode.cancelled,
  exitCode.usage,
  exitCode.refused,
  exitCode.failed,
];

/** The one code for a command in which several things happened. */
export function worstOf(codes: Iterable<ExitCode>): ExitCode {
  const happened = new Set(codes);
  return precedence.find((code) => happened.has(code)) ?? exitCode.ok;
}
