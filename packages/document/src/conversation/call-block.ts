import { Document, visit } from 'yaml';
import { findToolBlocks } from '../blocks/find-tool-blocks.ts';
import { escapeControls } from '../display/escape-controls.ts';
import { applyEdits } from '../edits.ts';
import type { ResultContent } from '../results/result-lines.ts';
import { writeResult } from '../results/write-result.ts';
import { scan } from '../scan/scan.ts';
import { fenceFor } from '../text-fence.ts';

/** A finished call that is written into a note. */
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
  const [block] = findToolBlocks(note, { servers: [known], brokenBindings: [] });
  if (block === undefined) return request;
  const written = writeResult(note, block, content);
  return written.kind === 'edit' ? applyEdits(request, [written.edit]) : request;
}

/** A call as a block that can be run; where no block can express it, as text. */
export function requestBlock(
  server: string,
  tool: string,
  parameters: Readonly<Record<string, unknown>>,
): string {
  // A parameter called `tool` would be read as the tool's name, so that one moves to the info line.
  const isNamedAbove = Object.hasOwn(parameters, 'tool');
  const body = yaml(isNamedAbove ? parameters : { tool, ...parameters });
  const fence = fenceFor(body);
  if (!isNamedAbove) return `${fence}${server}\n${body}${fence}`;
  // A name that an info line cannot hold makes no request, so the call is written as text.
  const isWord = /^[^\s`&\\]+$/.test(tool) && escapeControls(tool) === tool;
  return isWord ? `${fence}${server} tool=${tool}\n${body}${fence}` : `${server} ${tool}\n${body}`;
}

function yaml(value: Readonly<Record<string, unknown>>): string {
  if (Object.keys(value).length === 0) return '';
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'string' && isActive(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  const text = document.toString({ lineWidth: 0, doubleQuotedAsJSON: true });
  // Only what is quoted holds any of them, and there an escape means the character.
  return escapeControls(text).replace(/<(?=%)/g, '\\u003c');
}

/** Whether a value holds hidden characters, a template, or what makes code a query. */
function isActive(value: string): boolean {
  return escapeControls(value) !== value || value.includes('<%') || /^\s*\$?=/.test(value);
}
