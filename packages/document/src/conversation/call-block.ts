import { stringify } from 'yaml';
import { findToolBlocks } from '../blocks/find-tool-blocks.ts';
import { applyEdits } from '../edits.ts';
import type { ResultContent } from '../results/result-lines.ts';
import { writeResult } from '../results/write-result.ts';
import { scan } from '../scan/scan.ts';
import { fenceFor } from '../text-fence.ts';

/** A call that was made, to be written down. */
export interface WrittenCall {
  readonly server: string;
  readonly tool: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly content: ResultContent;
}

/** A call as a note has it: the request as a block that can be run again, and its result below. */
export function callBlock({ server, tool, parameters, content }: WrittenCall): string {
  const request = requestBlock(server, tool, parameters);
  const note = scan(request);
  const known = { id: server, name: server, enabled: true, sectionBindings: [] };
  const [block] = findToolBlocks(note, { servers: [known] });
  if (block === undefined) return request;
  const written = writeResult(note, block, content);
  return written.kind === 'edit' ? applyEdits(request, [written.edit]) : request;
}

function requestBlock(
  server: string,
  tool: string,
  parameters: Readonly<Record<string, unknown>>,
): string {
  // A parameter called `tool` would be read as the tool's name, so that one moves to the info line.
  const isNamedAbove = Object.hasOwn(parameters, 'tool');
  const body = yaml(isNamedAbove ? parameters : { tool, ...parameters });
  const fence = fenceFor(body);
  return `${fence}${server}${isNamedAbove ? ` tool=${tool}` : ''}\n${body}${fence}`;
}

function yaml(value: Readonly<Record<string, unknown>>): string {
  if (Object.keys(value).length === 0) return '';
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}
