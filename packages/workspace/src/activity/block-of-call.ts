/** A call of a block as the log has it. */
interface CallOfBlock {
  /** The line of the block when the call was made. */
  readonly line: number;
  readonly server: string;
  readonly tool: string;
}

/** The block that a call was made for, nearest to its line: answers above may have moved it since. */
export function blockOfCall<
  Block extends {
    readonly line: number;
    readonly server: string | null;
    readonly tool: string | null;
  },
>(blocks: readonly Block[], call: CallOfBlock): Block | undefined {
  const distance = ({ line }: Block) => Math.abs(line - call.line);
  return blocks
    .filter(({ server, tool }) => server === call.server && tool === call.tool)
    .sort((one, other) => distance(one) - distance(other))[0];
}
