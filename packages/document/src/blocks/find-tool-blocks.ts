import type { NoteContext } from '../note-context.ts';
import { requestHash } from '../params/request-hash.ts';
import { fenceBody, lookBelow } from '../results/find-result.ts';
import type { ResultBlock } from '../results/result-block.ts';
import type { Fence, NoteScan } from '../scan/note-scan.ts';
import { headingPath } from '../sections/heading-path.ts';
import { parseRequest } from './parse-request.ts';
import type { BlockState, ToolBlock } from './tool-block.ts';

/** The requests of a note, in order, each with its result, its state and what is wrong with it. */
export function findToolBlocks(scan: NoteScan, context: NoteContext): readonly ToolBlock[] {
  const names = new Map(context.servers.map(({ name }) => [name.toLowerCase(), name]));
  const below = lookBelow(scan);
  const path = headingPath(scan);
  const blocks: ToolBlock[] = [];
  for (const fence of scan.fences) {
    if (fence.within !== null) continue;
    const language = /^\S*/.exec(fence.info)?.[0].toLowerCase() ?? '';
    const named = names.get(language);
    if (named === undefined && language !== 'mcp') continue;
    const server = named ?? context.servers.find(({ enabled }) => enabled)?.name ?? null;
    const body = fenceBody(scan.text, fence);
    const parsed = parseRequest(fence.info, body, fence.line);
    const problem = parsed.problem ?? unclosedProblem(fence);
    const { tool, params, options } = parsed;
    const req = problem === null && tool !== null ? requestHash(server ?? '', tool, params) : null;
    const { blockId, result } = below(fence);
    blocks.push({
      line: fence.line,
      endLine: fence.endLine,
      id: blockId?.id ?? null,
      server,
      tool,
      params,
      options,
      section: path(fence),
      boundServer: null,
      state: problem !== null ? 'invalid' : stateOf(result, req),
      problem,
      refusal: null,
      result,
      req,
      anchor: blockId?.to ?? fence.to,
      fence,
      source: `${fence.info}\n${body}`,
    });
  }
  return blocks;
}

function unclosedProblem(fence: Fence): ToolBlock['problem'] {
  if (fence.isClosed) return null;
  const message = `The block has no end. Close it with a line of ${fence.marker.repeat(fence.length)}`;
  return { code: 'block_invalid', message, line: fence.line };
}

function stateOf(result: ResultBlock | null, req: string | null): BlockState {
  if (result === null) return 'new';
  if (result.isEdited) return 'edited';
  if (result.req !== req) return 'stale';
  return result.status === 'error' ? 'failed' : 'fresh';
}
