/** Cuts bytes into chunks of the given lengths, and what is left. */
export function cut(bytes: Buffer, lengths: readonly number[]): readonly Buffer[] {
  const chunks: Buffer[] = [];
  let start = 0;
  for (const length of lengths) {
    chunks.push(bytes.subarray(start, start + length));
    start += length;
  }
  return [...chunks, bytes.subarray(start)];
}
