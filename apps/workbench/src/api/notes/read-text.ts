import {
  type Section as DocumentSection,
  findToolBlocks,
  languageOf,
  type NoteContext,
  plainValue,
  resolveSections,
  scan,
  type ToolBlock,
} from '@errand/document';
import type { Host } from '@errand/host';
import { blockMistakes, blockProblem } from '@errand/workspace/cards';
import { type KeyedBlock, keyBlocks, type RunningBlock } from '@errand/workspace/runs';
import { describeBinding } from '@errand/workspace/sections';
import type { Block, NoteReading, Section } from '../../contract.ts';

/** What a text says to Errand if it stood in the note at that path. */
export function readText(
  text: string,
  path: string,
  host: Pick<Host, 'servers'>,
  runOf: (key: string) => RunningBlock | undefined,
): NoteReading {
  const context = host.servers.noteContext(path);
  const note = scan(text);
  const { sections, problems } = resolveSections(note, context);
  const describe = ({ key, block }: KeyedBlock) =>
    describeBlock(block, key, runOf(key) ?? null, host);
  const blocks = keyBlocks(findToolBlocks(note, context));
  return {
    blocks: blocks.map(describe),
    sections: sections.map((section) => describeSection(section, context)),
    problems,
  };
}

function describeBlock(
  block: ToolBlock,
  key: string,
  run: RunningBlock | null,
  host: Pick<Host, 'servers'>,
): Block {
  const { line, endLine, id, server, tool, section, boundServer, state, result } = block;
  return {
    key,
    line,
    endLine,
    id,
    server,
    language: languageOf(block.fence.info),
    tool,
    params: plainValue(block.params) as Block['params'],
    display: block.options.display ?? null,
    section,
    boundServer,
    state,
    problem: blockProblem(block),
    mistakes: blockMistakes(block, host),
    result: result && {
      status: result.status,
      type: result.type,
      form: result.form,
      code: result.code,
      line: result.line,
      endLine: result.endLine,
      payload: result.payload,
      isEdited: result.isEdited,
    },
    run,
  };
}

function describeSection(section: DocumentSection, context: NoteContext): Section {
  const { kind, title, path, line, endLine, decision, explanation } = section;
  const binding = describeBinding(section, context);
  const bound = decision.kind === 'bound' ? decision : undefined;
  const isOfWholeNote = kind === 'heading' && bound?.binding.target.kind === 'note';
  return {
    kind,
    title,
    path,
    line,
    endLine,
    server: bound?.server ?? null,
    isRefused: decision.kind === 'refused',
    inheritedFrom: bound?.inheritedFrom ?? (isOfWholeNote ? 'note' : null),
    origin: bound?.binding.origin.kind ?? null,
    why: binding?.why ?? null,
    isServerDisabled: binding?.state === 'disabled',
    explanation,
    bindLine: bindLines[kind]?.(line) ?? null,
  };
}

/** The line by which a section is named; above all headings stands the whole note. */
const bindLines: Readonly<Partial<Record<Section['kind'], (line: number) => number>>> = {
  note: () => 0,
  heading: (line) => line,
};
