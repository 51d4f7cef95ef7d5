import { VaultError } from '../vault-error.ts';

/** Encodes the position after a page as an opaque cursor. */
export function writeCursor(state: unknown): string {
  return Buffer.from(JSON.stringify(state)).toString('base64url');
}

/** Reads what `writeCursor` wrote, if it has the right shape. */
export function readCursor<State>(
  cursor: string,
  isState: (value: unknown) => value is State,
): State {
  let state: unknown;
  try {
    state = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    state = undefined;
  }
  if (isState(state)) return state;
  throw new VaultError('invalid_input', 'The cursor is not one of this tool. Start without it.');
}
