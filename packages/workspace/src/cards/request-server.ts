import type { ToolBlock } from '@errand/document';
import type { Host } from '@errand/host';
import { type BlockProblem, blockMistakes } from './block-problems.ts';

/** What a card knows of a request's server. */
export interface RequestServer {
  /** Also one that the host gave up. */
  readonly isDisabled: boolean;
  /** What the tool would refuse, as far as its schema is known. */
  readonly mistakes: readonly BlockProblem[];
}

/** Looks up what is known of a block's server; nothing is started and no file is read. */
export function requestServer(block: ToolBlock, host: Pick<Host, 'servers'>): RequestServer {
  const { servers } = host;
  const server = servers.find(block.server ?? '');
  const isDisabled =
    server !== undefined && (!server.enabled || servers.progress(server.id).phase === 'off');
  return { isDisabled, mistakes: blockMistakes(block, host) };
}
