import { fenceBody } from '../results/find-result.ts';
import { furtherPrefix } from '../scan/contained-lines.ts';
import { countLineEnds, lineEnd } from '../scan/lines.ts';
import type { Fence, NoteScan } from '../scan/note-scan.ts';
import { rescan } from '../scan/rescan.ts';
import { languageOf, parseInfoLine } from './block-options.ts';

/** The part of a request at the cursor: the server, a parameter name or a value. */
export type RequestCursor = WrittenPart &
  (
    | {
        readonly kind: 'server';
        /** The line that must end the block; null when it has an end. */
        readonly missingEnd: string | null;
        /** The block has no lines of its own yet. */
        readonly isEmpty: boolean;
      }
    | { readonly kind: 'name' }
    | { readonly kind: 'value'; readonly name: string }
  );

/** The part at the cursor, and what is known about its block. */
interface WrittenPart {
  /** The range that a chosen suggestion replaces. */
  readonly from: number;
  readonly to: number;
  /** The text of the part before the cursor. */
  readonly typed: string;
  readonly line: number;
  /** The prefix of further lines of the block. */
  readonly prefix: string;
  /** The first word of the block. */
  readonly language: string;
  /** Where the block's first line ends. */
  readonly infoTo: number;
  /** The tool, if another line names it. */
  readonly tool: string | null;
  /** The tool is on the first line, so a parameter may be called `tool`. */
  readonly isToolNamedAbove: boolean;
  /** The names on the other lines of the block. */
  readonly names: readonly string[];
}

/** The part of a request at an offset of a note; null where no request can be. The block may still be open. */
export function requestAt(scan: NoteScan, at: number): RequestCursor | null {
  const end = lineEnd(scan.text, at);
  // Editors that pair backticks put the closing ones on the same line, which is not a fence yet.
  const isPaired = /^`{3,}$/.test(scan.text.slice(at, end));
  const note = isPaired ? rescan(scan, { range: [at, end], text: '' }) : scan;
  const line = countLineEnds(note.text, 0, at) + 1;
  const fence = note.fences.findLast((each) => each.line <= line);
  if (fence === undefined || fence.within !== null || isBehind(fence, line)) return null;
  if (line !== fence.line) return isPaired ? null : inBody(note, fence, line, at);
  const place = inInfo(note, fence, at);
  return place && isPaired ? { ...place, to: end, missingEnd: endOf(fence) } : place;
}

/** A block at the margin without an end reaches to the end of the note, its empty last line included. */
function isBehind({ isClosed, container, endLine }: Fence, line: number): boolean {
  return line > endLine && (isClosed || container !== null);
}

function inInfo({ text }: NoteScan, fence: Fence, at: number): Server | null {
  const infoTo = lineEnd(text, fence.from);
  const info = text.slice(fence.from + fence.length, infoTo);
  const from = fence.from + fence.length + (info.length - info.trimStart().length);
  const language = languageOf(fence.info);
  if (at < from || at > from + language.length) return null;
  const body = bodyLines(text, fence);
  const isOpen = !fence.isClosed || body.some((line) => opener.test(line));
  return {
    kind: 'server',
    from,
    to: from + language.length,
    typed: text.slice(from, at),
    line: fence.line,
    missingEnd: isOpen ? endOf(fence) : null,
    isEmpty: isOpen || body.every((line) => line.trim() === ''),
    ...blockOf(text, fence, isOpen ? [] : body),
  };
}

type Server = Extract<RequestCursor, { readonly kind: 'server' }>;

function inBody({ text }: NoteScan, fence: Fence, line: number, at: number): RequestCursor | null {
  if (fence.isClosed && line === fence.endLine) return null;
  const body = bodyLines(text, fence);
  const index = line - fence.line - 1;
  const above = body.slice(0, index);
  // Without an end, the rest of the note would be part of the block.
  if (!fence.isClosed && above.some((each) => each.trim() === '')) return null;
  const content = body[index] ?? '';
  const end = lineEnd(text, at);
  const column = at - (end - content.length);
  if (column < 0) return null;
  const others = [...above, ...body.slice(index + 1)];
  const block = { line, ...blockOf(text, fence, others) };
  const before = content.slice(0, column);
  const behind = content.slice(column);

  if (/^[\w.-]*$/.test(before)) {
    if (behind.trim() !== '') return null;
    return { kind: 'name', from: at - before.length, to: end, typed: before, ...block };
  }
  const named = entry.exec(content);
  if (named === null || column < named[0].trimEnd().length) return null;
  const start = Math.min(named[0].length, column);
  const typed = content.slice(start, column);
  const value = content.slice(start).replace(/(?:^|[ \t]+)#.*$|[ \t]+$/, '');
  if (typed.length > value.length) return null;
  const from = at - typed.length;
  return { kind: 'value', name: nameIn(named), from, to: from + value.length, typed, ...block };
}

function blockOf(
  text: string,
  fence: Fence,
  others: readonly string[],
): Omit<WrittenPart, 'from' | 'to' | 'typed' | 'line'> {
  const entries = others.flatMap((line) => {
    const match = entry.exec(line);
    return match === null ? [] : [{ name: nameIn(match), value: line.slice(match[0].length) }];
  });
  const above = parseInfoLine(fence.info).options.tool;
  const below = entries.find(({ name }) => name === 'tool')?.value;
  return {
    prefix: furtherPrefix(fence.container) + ' '.repeat(fence.indent),
    language: languageOf(fence.info),
    infoTo: lineEnd(text, fence.from),
    tool: above ?? (below === undefined ? null : scalarIn(below)),
    isToolNamedAbove: above !== undefined,
    names: entries.map(({ name }) => name),
  };
}

function bodyLines(text: string, fence: Fence): readonly string[] {
  return fenceBody(text, fence).split('\n');
}

function endOf({ marker, length }: Fence): string {
  return marker.repeat(length);
}

/** A line that opens a block; inside another block it shows that the end of that block is missing. */
const opener = /^ {0,3}(?:`{3,}|~{3,})[ \t]*[^\s`~]/;

/** An unindented name with its colon and the white space after it. */
const entry =
  /^(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"'#:\-[\]{}][^:#]*?|[\w.-]+))[ \t]*:(?:[ \t]+|$)/;

function nameIn([, double, single, plain]: RegExpExecArray): string {
  return double ?? single ?? plain ?? '';
}

function scalarIn(source: string): string | null {
  const [, double, single, plain] =
    /^(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^#"']\S*(?:[ \t]+[^#\s]\S*)*))/.exec(source) ?? [];
  return double ?? single ?? plain ?? null;
}
