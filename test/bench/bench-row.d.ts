/** One measurement beside a peer or a floor that was measured in the same run. */
export interface BenchRow {
  readonly what: string;
  readonly unit: 'ms' | 'MB' | 'per s' | 'MB/s';
  readonly ours: number;
  readonly peer: number;
  /** Who the peer is, or `floor` for the least any program could need. */
  readonly peerName: string;
  /** In words, as the requirement states it. */
  readonly target: string;
  readonly pass: boolean;
}
/** The middle of the measured values. */
export declare function median(values: readonly number[]): number;
