import type { BlockOptions } from '../blocks/block-options.ts';
import type { ToolBlock } from '../blocks/tool-block.ts';
import { fenceFor } from '../text-fence.ts';
import { framedPayload } from './framed-payload.ts';
import { inertText } from './inert-text.ts';
import { neutralize } from './neutralize.ts';
import { normalizePayload, payloadSum, visiblePayload } from './payload.ts';
import type { ResultBlock, ResultType } from './result-block.ts';

/** The outcome of a call, ready to be written below its request. */
export interface ResultContent {
  readonly status: 'success' | 'error';
  readonly type: ResultType;
  readonly payload: string;
  /** The code of the error, for errors. */
  readonly code?: string;
  /** The form that the block asked for, where the answer has another type by itself. */
  readonly as?: 'text' | 'json';
  /** Pictures of the vault that a live result shows: where a line of the payload is the embed of one. */
  readonly embeds?: readonly string[];
}

/** The line that shows a picture of the vault. */
export function embedOf(path: string): string {
  return `![[${path}]]`;
}

/** A result as lines without container prefix. */
interface ResultLines {
  readonly form: ResultBlock['form'];
  readonly lines: readonly string[];
}

/**
 * The lines of a result: they depend on the request and the payload alone. Where the note begins with a `---` that
 * has no end, one in the payload would end it and make frontmatter of all between, so it gets a space in front.
 */
export function resultLines(
  block: ToolBlock,
  content: ResultContent,
  isFrontmatterOpen = false,
): ResultLines {
  const place = isFrontmatterOpen ? withoutDelimiters : (payload: string) => payload;
  const { as, live = false } = block.options;
  // An error is text for a person to act on; it is never live.
  if (content.status === 'success' && (as === 'markdown' || as === 'callout')) {
    const payload = livePayload(content, live ? framedPayload : neutralize);
    const lines = as === 'markdown' ? markdownLines : calloutLines;
    return { form: as, lines: lines(block, place(payload)) };
  }
  const isInert = !live || content.status === 'error';
  const type = typeFor(content.type, block.options);
  const payload = isInert
    ? inertText(visiblePayload(content.payload), type)
    : normalizePayload(content.payload);
  return { form: 'fence', lines: fenceLines(block, { ...content, type, payload: place(payload) }) };
}

/** Makes the text of a live result safe, except for the embeds of its own pictures. */
function livePayload(
  { payload, embeds = [] }: ResultContent,
  makeSafe: (text: string) => string,
): string {
  if (embeds.length === 0) return makeSafe(payload);
  const known = new Set(embeds.map(embedOf));
  const parts: string[] = [];
  let text: string[] = [];
  const endText = () => {
    const safe = makeSafe(text.join('\n')).replace(/^\n+/, '');
    if (safe !== '') parts.push(safe);
    text = [];
  };
  for (const line of payload.split('\n')) {
    if (!known.has(line)) text.push(line);
    else {
      endText();
      parts.push(line);
    }
  }
  endText();
  return parts.join('\n\n');
}

function withoutDelimiters(payload: string): string {
  return payload.replace(/^---(?=[ \t]*$)/gm, ' ---');
}

/** The line that ends a live result. */
const endMarker = '<!-- /mcp-result -->';

function fenceLines(
  block: ToolBlock,
  { status, code, type, as, payload }: ResultContent,
): readonly string[] {
  const isError = status === 'error';
  const header = [
    isError ? 'mcp-error' : 'mcp-result',
    ...identity(block, payload),
    ...(isError ? [`code=${code ?? 'tool_failed'}`] : []),
    `type=${type}`,
    ...(as === undefined ? [] : [`as=${as}`]),
    ...display(block.options),
  ];
  const fence = fenceFor(payload);
  return [fence + header.join(' '), ...linesOf(payload), fence];
}

function markdownLines(block: ToolBlock, payload: string): readonly string[] {
  return [marker(block, payload), ...linesOf(payload), endMarker];
}

function calloutLines(block: ToolBlock, payload: string): readonly string[] {
  // Directly below the title, it would make a heading or the head of a table of it.
  const isUnderline = /^(?=.*[-=])[-=|: \t]+$/.test(payload.split('\n', 1)[0] ?? '');
  const body = isUnderline ? `\n${payload}` : payload;
  return [
    `> [!mcp]- ${calloutTitle(block.server, block.tool)} ${marker(block, body)}`,
    ...linesOf(body).map((line) => (line === '' ? '>' : `> ${line}`)),
    // Without it, a line of text directly below would be read as part of the callout.
    endMarker,
  ];
}

/** The title that a result has as a callout. */
export function calloutTitle(server: string | null, tool: string | null): string {
  return neutralize(`${server}: ${tool}`.replace(/\s+/g, ' ')).replace(/</g, '&lt;');
}

function marker(block: ToolBlock, payload: string): string {
  const attributes = [...identity(block, payload), ...display(block.options)];
  return `<!-- mcp-result ${attributes.join(' ')} -->`;
}

function identity(block: ToolBlock, payload: string): readonly string[] {
  return [...(block.req === null ? [] : [`req=${block.req}`]), `sum=${payloadSum(payload)}`];
}

function display({ display }: BlockOptions): readonly string[] {
  return display === undefined ? [] : [`display=${display}`];
}

function typeFor(type: ResultType, { as }: BlockOptions): ResultType {
  return type !== 'image' && (as === 'text' || as === 'json') ? as : type;
}

function linesOf(payload: string): readonly string[] {
  return payload === '' ? [] : payload.split('\n');
}
