/** Whether an error comes from SQLite; any other is a mistake of ours. */
export function isDatabaseError(error: unknown): error is Error & { readonly errcode: number } {
  return error instanceof Error && 'errcode' in error;
}

/** Whether an error says that the file is not, or no longer, a readable index. */
export function isCorrupt(error: unknown): boolean {
  // SQLITE_ERROR (a table is missing), SQLITE_CORRUPT and its variants, SQLITE_NOTADB.
  return isDatabaseError(error) && [1, 11, 26].includes(error.errcode % 256);
}

/** Whether an error says that another server is writing just now. */
export function isBusy(error: unknown): boolean {
  return isDatabaseError(error) && error.errcode % 256 === 5;
}
