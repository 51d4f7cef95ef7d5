import { type ToolBlock, typeParams } from '@errand/document';
import { blockFailure, briefFailure, type ErrorInfo, type Host, toolNotFound } from '@errand/host';

/** Something wrong with a block, at its line. */
export interface BlockProblem extends Pick<ErrorInfo, 'code' | 'message' | 'advice'> {
  /** The message as it is stored below the block, where that is another text. */
  readonly messageInBlock?: string;
  /** The line of the note to underline. */
  readonly line: number;
}

/** Why a block cannot run: a mistake in it, or a section that does not allow it. */
export function blockProblem({ problem, refusal }: ToolBlock): BlockProblem | null {
  const mistake = problem ?? refusal;
  if (mistake === null) return null;
  const { line, messageInBlock } = mistake;
  return {
    ...blockFailure(mistake),
    line,
    ...(messageInBlock !== undefined && { messageInBlock }),
  };
}

/**
 * What a block's tool would refuse, as far as its schema is known: an unknown tool, or parameters that do not
 * fit. No server is started to find out.
 */
export function blockMistakes(
  block: ToolBlock,
  { servers }: Pick<Host, 'servers'>,
): readonly BlockProblem[] {
  const server = servers.find(block.server ?? '');
  if (block.problem !== null || block.tool === null || server === undefined) return [];
  // Its parameters are known only with the answer that they refer to.
  if (block.unresolved !== null) {
    return [{ ...blockFailure(block.unresolved), line: block.unresolved.line }];
  }
  const known = servers.knownTools(server.id);
  if (known.length === 0) return [];
  const tool = known.find(({ name }) => name === block.tool);
  if (tool === undefined) {
    const names = known.map(({ name }) => name);
    const error = toolNotFound(server.name, block.tool, names);
    return [{ ...briefFailure(error), line: lineOf(block, 'tool') }];
  }
  return typeParams(block.params, tool.inputSchema).problems.map(({ path, message }) => {
    const [name = ''] = path.split(/[.[]/, 1);
    return { code: 'invalid_params', message, line: lineOf(block, name) };
  });
}

/** The line of the note on which a block names a parameter, else the block's own. */
function lineOf({ source, line }: ToolBlock, name: string): number {
  const lines = source.split('\n');
  const at = lines.findIndex((text, index) => {
    const [, key] = /^\s*["']?(.+?)["']?\s*:(?:\s|$)/.exec(text) ?? [];
    return index > 0 && key === name;
  });
  return line + Math.max(0, at);
}
