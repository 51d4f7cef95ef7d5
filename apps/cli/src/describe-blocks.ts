import { plainValue, type ToolBlock } from '@errand/document';
import { blockFailure } from '@errand/host';
import { advisedText } from './advice.ts';
import { table } from './table.ts';

/** The blocks of a note as programs read them. */
export function blocksJson(note: string, blocks: readonly ToolBlock[]) {
  return { note, blocks: blocks.map(asJson) };
}

function asJson(block: ToolBlock) {
  const { line, endLine, id, server, tool, section, boundServer, state } = block;
  const problem = block.problem ?? block.refusal;
  const params = plainValue(block.params);
  return { line, endLine, id, server, tool, params, section, boundServer, state, problem };
}

/** The blocks of a note as a person reads them: a line for each, and what is wrong with it. */
export function describeBlocks(blocks: readonly ToolBlock[]): string {
  const rows = blocks.map(({ line, server, tool, section, boundServer, state }) => [
    `line ${line}`,
    [server, tool].filter(Boolean).join(' '),
    state,
    section.join(' > ') + (boundServer === null ? '' : ` (bound to ${boundServer})`),
  ]);
  const lines = table(rows).split('\n');
  return blocks
    .map(({ problem, refusal }, index) => {
      const mistake = problem ?? refusal;
      return `${lines[index]}\n${mistake === null ? '' : advisedText(blockFailure(mistake), {}, '  ')}`;
    })
    .join('');
}
