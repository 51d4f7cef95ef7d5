import { type ToolBlock, typeParams } from '@errand/document';
import { briefFailure, type Host, toolNotFound } from '@errand/host';
import type { BlockProblem } from '../../contract.ts';

/** What a block's tool would refuse, as far as its server was heard; nothing is started to find out. */
export function findMistakes(
  block: ToolBlock,
  { servers }: Pick<Host, 'servers'>,
): readonly BlockProblem[] {
  const server = servers.find(block.server ?? '');
  if (block.problem !== null || block.tool === null || server === undefined) return [];
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
