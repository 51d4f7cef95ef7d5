/** One measurement beside a peer or a floor that was measured in the same run. */
export interface BenchRow {
  readonly what: string;
  readonly unit: 'ms' | 'MB' | 'per s' | 'MB/s' | 'count';
  readonly ours: number;
  readonly peer: number;
  /** Who the peer is, or `floor` for the least any program could need. */
  readonly peerName: string;
  /** In words, as the requirement states it. */
  readonly target: string;
  readonly pass: boolean;
}

/** The middle of the measured values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
