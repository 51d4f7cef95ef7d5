import type { ToolBlock } from '@errand/document';
import type { ServerConfig } from '../settings.ts';
import type { ErrorInfo } from '../tool-invocation.ts';

/** Why a block will not be called, known without asking its server; nothing when it may be. */
export function findObstacle(
  block: ToolBlock,
  server: ServerConfig | undefined,
  force: boolean,
): Pick<ErrorInfo, 'code' | 'message'> | undefined {
  const { problem, refusal, result } = block;
  if (problem !== null) return problem;
  if (refusal !== null) return refusal;
  // A tool must not act when its answer has no place.
  if (result?.isEdited && !force) return editedByHand(result.line);
  return server === undefined ? noServer : undefined;
}

function editedByHand(line: number): Pick<ErrorInfo, 'code' | 'message'> {
  const message = `The result on line ${line} was edited by hand. Delete it, or run again with --force to replace it.`;
  return { code: 'output_edited', message };
}

const noServer: Pick<ErrorInfo, 'code' | 'message'> = {
  code: 'server_unknown',
  message: 'No server is enabled for this block. See them with: errand servers',
};
