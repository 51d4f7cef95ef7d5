import type { BlockProblem, ToolBlock } from '@errand/document';
import { type Advice, adviceForCode } from '../advice.ts';
import type { ServerConfig } from '../settings.ts';
import type { ErrorInfo } from '../tool-invocation.ts';

/** Why a block will not be called, known without asking its server; nothing when it may be. */
export function findBlockError(
  { problem, refusal, result }: ToolBlock,
  server: ServerConfig | undefined,
  force: boolean,
): ErrorInfo | undefined {
  const mistake = problem ?? refusal;
  if (mistake !== null) return blockFailure(mistake);
  // A tool must not act when its answer has no place.
  if (result?.isEdited && !force) return editedByHand(result.line);
  return server === undefined ? noServer : undefined;
}

/** A problem of a note's text as a failure of the host, with what to do about it. */
export function blockFailure({ code, message, servers }: BlockProblem): ErrorInfo {
  const advice = servers === undefined ? adviceForCode(code) : adviceForServers(servers);
  return { code, message, ...(advice.length > 0 && { advice }) };
}

function adviceForServers(servers: number): readonly Advice[] {
  return [{ kind: servers === 0 ? 'add-server' : 'enable-any-server' }];
}

/** Whether a block has the answer to its request, whether or not somebody edited it. */
export function hasAnswer({ result, req }: ToolBlock): boolean {
  return result?.status === 'success' && result.req === req;
}

/** Why a finished block is left as it is when others run with it (D27). */
export const alreadyDone: ErrorInfo = {
  code: 'already_done',
  message: 'Already done. A second call could act a second time.',
  advice: [{ kind: 'run-again' }],
};

function editedByHand(line: number): ErrorInfo {
  const code = 'output_edited';
  const message = `The result on line ${line} was edited by hand.`;
  return { code, message, advice: adviceForCode(code) };
}

const noServer: ErrorInfo = {
  code: 'server_unknown',
  message: 'No server is enabled for this block.',
  advice: [{ kind: 'list-servers' }],
};
