import {
  type BindingProblem,
  findToolBlocks,
  languageOf,
  type NoteContext,
  type NoteScan,
  plainValue,
  resolveSections,
  type ToolBlock,
} from '@errand/document';
import { blockFailure } from '@errand/host';
import { advisedText } from './advice.ts';
import { type Paint, paintColumn, type Tone } from './paint.ts';
import { table } from './table.ts';

/** The blocks of a note, and the mistakes in its bindings. */
export interface NoteBlocks {
  readonly note: string;
  readonly blocks: readonly ToolBlock[];
  readonly problems: readonly BindingProblem[];
}

/** Finds the blocks of a note that may name these servers. */
export function blocksOf(note: string, text: NoteScan, known: NoteContext): NoteBlocks {
  const { problems } = resolveSections(text, known);
  return { note, blocks: findToolBlocks(text, known), problems };
}

/** The blocks of a note as programs read them. */
export function blocksJson({ note, blocks, problems }: NoteBlocks) {
  return { note, blocks: blocks.map(asJson), problems };
}

function asJson(block: ToolBlock) {
  const { line, endLine, id, server, tool, section, boundServer, state } = block;
  const problem = block.problem ?? block.refusal;
  const params = plainValue(block.params);
  const language = server === null && { language: languageOf(block.fence.info) };
  const asked = { server, ...language, tool, params };
  return { line, endLine, id, ...asked, section, boundServer, state, problem };
}

/** The blocks of a note as a person reads them: a line for each, and what is wrong with it. */
export function describeBlocks(blocks: readonly ToolBlock[], paint?: Paint): string {
  const rows = blocks.map(({ line, server, fence, tool, section, boundServer, state }) => [
    `line ${line}`,
    [server ?? languageOf(fence.info), tool].filter(Boolean).join(' '),
    state,
    section.join(' > ') + (boundServer === null ? '' : ` (bound to ${boundServer})`),
  ]);
  const tones = blocks.map(({ state }) => stateTones[state]);
  const lines = table(rows, paintColumn(paint, 2, tones)).split('\n');
  return blocks
    .map(({ problem, refusal }, index) => {
      const mistake = problem ?? refusal;
      return `${lines[index]}\n${mistake === null ? '' : advisedText(blockFailure(mistake), {}, '  ')}`;
    })
    .join('');
}

const stateTones: Readonly<Record<ToolBlock['state'], Tone | undefined>> = {
  new: 'accent',
  fresh: 'good',
  stale: 'warn',
  edited: 'warn',
  failed: 'bad',
  invalid: 'bad',
};
