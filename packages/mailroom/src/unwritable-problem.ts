import { ToolFailure } from './mcp-client.ts';

const full = 'The disk of the vault is full. Make room.';
const readOnly = 'The vault is read-only, or its permissions do not allow to write it.';

const problems: Readonly<Record<string, string>> = {
  ENOSPC: full,
  EDQUOT: full,
  EROFS: readOnly,
  EACCES: readOnly,
  EPERM: readOnly,
};

/** Why the vault cannot be written, of a failure of the vault server or of the disk itself; nothing of any other. */
export function unwritableProblem(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code =
    error instanceof ToolFailure
      ? error.details.system_code
      : (error as NodeJS.ErrnoException).code;
  const problem = typeof code === 'string' ? problems[code] : undefined;
  return problem ?? unwritableProblem(error.cause);
}
