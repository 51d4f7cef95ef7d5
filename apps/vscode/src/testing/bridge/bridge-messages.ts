/** A function that a test wants to run inside the extension host. */
export interface BridgeQuestion {
  readonly id: number;
  readonly source: string;
  readonly args: readonly unknown[];
}

/** What became of it. */
export type BridgeAnswer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string };
