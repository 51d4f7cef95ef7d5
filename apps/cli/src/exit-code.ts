import type { HostErrorCode } from '@errand/host';

/** How a command ends; others rely on these numbers. */
export const exitCode = {
  ok: 0,
  /** A call failed, a block is invalid, or its server is disabled. */
  failed: 1,
  /** Wrong usage or settings, or an entry nobody trusted yet. */
  usage: 2,
  /** Refused: an edited result, a changed note, a section that forbids, a vault that another program owns. */
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

/** The code for a call, a block or a server that failed. */
export function codeOfFailure(code: HostErrorCode): ExitCode {
  if (code === 'already_done') return exitCode.ok;
  if (settingsCodes.has(code)) return exitCode.usage;
  return refusals.has(code) ? exitCode.refused : exitCode.failed;
}

const settingsCodes: ReadonlySet<HostErrorCode> = new Set([
  'settings_invalid',
  'secret_missing',
  'untrusted',
]);

const refusals: ReadonlySet<HostErrorCode> = new Set([
  'output_edited',
  'note_changed',
  'section_forbids',
  'vault_owned',
]);

/** The code for a failure that ends a whole command: what was named on its line may be wrong too. */
export function codeOfCommandFailure(code: HostErrorCode): ExitCode {
  return usageCodes.has(code) ? exitCode.usage : codeOfFailure(code);
}

const usageCodes: ReadonlySet<HostErrorCode> = new Set([
  'block_invalid',
  'note_unreadable',
  'server_unknown',
]);
