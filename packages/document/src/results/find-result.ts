import { displays } from '../blocks/block-options.ts';
import { containedLines } from '../scan/contained-lines.ts';
import { afterLineEnd, countLineEnds, lineEnd, lineEndBefore, lineStart } from '../scan/lines.ts';
import type { BlockId, Container, Fence, LiveResult, NoteScan } from '../scan/note-scan.ts';
import { payloadSum } from './payload.ts';
import type { ResultBlock, ResultType } from './result-block.ts';

/** The block id and the result below a request. */
interface BelowRequest {
  readonly blockId: BlockId | null;
  readonly result: ResultBlock | null;
}

/** Whether a callout's title was generated, given the `req` of its result. */
type IsTitle = (title: string, req: string | null) => boolean;

/**
 * Finds results below fences, in the order of the note. Checksums of known payloads are reused. A callout with
 * another title than a generated one counts as edited.
 */
export function lookBelow(
  scan: NoteScan,
  previous: readonly { readonly result: ResultBlock | null }[],
): (fence: Fence, isTitle?: IsTitle) => BelowRequest {
  const sums = new Map<string, string | null>();
  for (const { result } of previous) {
    if (result !== null && !result.isEdited) sums.set(result.payload, result.sum);
  }
  const sumOf = (payload: string) => sums.get(payload) ?? payloadSum(payload);
  const ids = cursorBy(scan.blockIds);
  const fences = cursorBy(scan.fences);
  const lives = cursorBy(scan.liveResults);
  return (fence, isTitle = () => true) => {
    const blockId = ids(fence.to);
    const isOwnId =
      blockId?.names === 'block-before' && isNext(scan, fence.to, blockId.from, fence, blockId);
    const anchor = isOwnId ? blockId.to : fence.to;
    const below = fences(anchor);
    const live = lives(anchor);
    return {
      blockId: isOwnId ? blockId : null,
      result:
        below !== undefined &&
        isResultFence(below) &&
        isNext(scan, anchor, below.from, fence, below)
          ? fencedResult(scan.text, below, sumOf)
          : live !== undefined && isNext(scan, anchor, live.from, fence, live)
            ? liveResult(scan.text, live, sumOf, isTitle)
            : null,
    };
  };
}

/** A result that is not below its request any more, or whose first line was changed so that it is none. */
interface LostResult {
  readonly line: number;
  readonly kind: 'apart' | 'broken';
}

/** Finds the lost result of a request between two offsets, which must increase from call to call. */
export function lookApart(
  scan: NoteScan,
): (from: number, to: number, req: string) => LostResult | undefined {
  const results = [
    ...scan.fences
      .filter((fence) => fence.within === null && isResultFence(fence))
      .map((fence) => ({ ...fence, req: readHeader(fence).req })),
    ...scan.liveResults.map((live) => ({ ...live, req: parseAttributes(live.attributes).req })),
  ].sort((a, b) => a.from - b.from);
  let next = 0;
  return (from, to, req) => {
    while ((results[next]?.from ?? to) < from) next++;
    for (let result = results[next]; (result?.from ?? to) < to; result = results[++next]) {
      if (result?.req === req) return { line: result.line, kind: 'apart' };
    }
    return findBroken(scan, from, to, req);
  };
}

/** Words in front of the first line of a result make text of it; what is quoted as code is only mentioned. */
function findBroken(
  { text, fences, comments }: NoteScan,
  from: number,
  to: number,
  req: string,
): LostResult | undefined {
  const between = text.slice(from, to);
  const found = between.indexOf(`mcp-result req=${req} sum=`);
  if (found < 0) return undefined;
  const at = from + found;
  if (!/(?:^|[^`])(?:`{3,}|~{3,}|<!-- )$/.test(text.slice(lineStart(text, at), at)))
    return undefined;
  const holds = (span: { readonly from: number; readonly to: number }) =>
    span.from <= at && at < span.to;
  if (fences.some(holds) || comments.some(holds)) return undefined;
  return { line: countLineEnds(text, 0, at) + 1, kind: 'broken' };
}

/** The first item after an offset; offsets must increase from call to call. */
function cursorBy<Block extends { readonly from: number }>(
  blocks: readonly Block[],
): (after: number) => Block | undefined {
  let next = 0;
  return (after) => {
    while (next < blocks.length && (blocks[next]?.from ?? 0) < after) next++;
    return blocks[next];
  };
}

/** Only line ends, white space and quote markers between the two, and both in the same container. */
function isNext(
  scan: NoteScan,
  from: number,
  to: number,
  above: { readonly container: Container | null },
  below: { readonly container: Container | null },
): boolean {
  if (above.container?.from !== below.container?.from) return false;
  return /^[ \t\r\n>]*$/.test(scan.text.slice(from, to));
}

/** The first line of a result. */
type ResultHeader = Pick<
  ResultBlock,
  'status' | 'req' | 'sum' | 'type' | 'code' | 'as' | 'display'
>;

/** A result in a fence, with or without a request above it. */
export type FencedResult = ResultHeader & Pick<ResultBlock, 'line' | 'payload'>;

/** The results of a note that are in fences, in order. */
export function findFencedResults({ text, fences }: NoteScan): readonly FencedResult[] {
  return fences
    .filter(isResultFence)
    .map((fence) => ({ line: fence.line, ...readHeader(fence), payload: fenceBody(text, fence) }));
}

/** Whether a fence holds a result. */
export function isResultFence(fence: Fence): boolean {
  return /^mcp-(?:result|error)(?=\s|$)/.test(fence.info);
}

type SumOf = (payload: string) => string;

function fencedResult(text: string, fence: Fence, sumOf: SumOf): ResultBlock {
  const header = readHeader(fence);
  const payload = fenceBody(text, fence);
  return {
    form: 'fence',
    line: fence.line,
    endLine: fence.endLine,
    from: lineStart(text, fence.from),
    to: fence.to,
    ...header,
    payload,
    isEdited:
      !fence.isClosed ||
      sumOf(payload) !== header.sum ||
      !isGenerated(fence.info.replace(/^\S+/, '')),
    isClosed: fence.isClosed,
    container: fence.container,
  };
}

function readHeader({ info }: Fence): ResultHeader {
  const status = info.startsWith('mcp-error') ? 'error' : 'success';
  return { status, ...parseAttributes(info.replace(/^\S+/, '')) };
}

/** The text inside a fence, without container prefix, lines ended by LF but the last. */
export function fenceBody(text: string, fence: Fence): string {
  const from = afterLineEnd(text, lineEnd(text, fence.from));
  const to = fence.isClosed ? lineEndBefore(text, lineStart(text, fence.to)) : fence.to;
  if (to < from) return '';
  return containedLines(text, from, to, fence.container, fence.indent).join('\n');
}

function liveResult(text: string, live: LiveResult, sumOf: SumOf, isTitle: IsTitle): ResultBlock {
  const attributes = parseAttributes(live.attributes);
  const payload = live.isClosed ? livePayload(text, live) : '';
  return {
    form: live.form,
    status: 'success',
    line: live.line,
    endLine: live.endLine,
    from: lineStart(text, live.from),
    to: live.to,
    ...attributes,
    payload,
    isEdited:
      !live.isClosed ||
      sumOf(payload) !== attributes.sum ||
      !isGenerated(live.attributes) ||
      hasRemark(text, live, (title) => isTitle(title, attributes.req)),
    isClosed: live.isClosed,
    container: live.container,
  };
}

/** Whether a person wrote into the first or the last line of a live result, beside its comment. */
function hasRemark(text: string, live: LiveResult, isTitle: (title: string) => boolean): boolean {
  const { before, after } = besideComment(text.slice(live.from, live.headerTo));
  const end = besideComment(text.slice(text.lastIndexOf('<!-- /mcp-result', live.to), live.to));
  if (`${after}${end.before}${end.after}`.trim() !== '') return true;
  if (live.form === 'markdown') return before.trim() !== '';
  const [, title] = /^> \[!mcp\]- (.*) $/.exec(before) ?? [];
  return title === undefined || !isTitle(title);
}

/** The parts of a line before and after its comment. */
function besideComment(line: string): { readonly before: string; readonly after: string } {
  const from = line.indexOf('<!--');
  const to = line.indexOf('-->', from);
  return { before: line.slice(0, from), after: to < 0 ? '' : line.slice(to + '-->'.length) };
}

function livePayload(text: string, live: LiveResult): string {
  const from = afterLineEnd(text, live.headerTo);
  const to = lineEndBefore(text, lineStart(text, live.to));
  if (to < from) return '';
  const [header = ''] = containedLines(
    text,
    lineStart(text, live.from),
    live.headerTo,
    live.container,
    0,
  );
  const indent = header.length - header.trimStart().length;
  const lines = containedLines(text, from, to, live.container, indent);
  return (live.form === 'callout' ? lines.map((line) => line.replace(/^> ?/, '')) : lines).join(
    '\n',
  );
}

function parseAttributes(
  source: string,
): Pick<ResultBlock, 'req' | 'sum' | 'type' | 'code' | 'as' | 'display'> {
  const attributes = new Map<string, string>();
  for (const word of source.split(/\s+/)) {
    const equals = word.indexOf('=');
    if (equals > 0) attributes.set(word.slice(0, equals), word.slice(equals + 1));
  }
  const type = attributes.get('type');
  const as = attributes.get('as');
  const display = attributes.get('display');
  return {
    req: attributes.get('req') ?? null,
    sum: attributes.get('sum') ?? null,
    type: types.find((known) => known === type) ?? null,
    code: attributes.get('code') ?? null,
    as: as === 'text' || as === 'json' ? as : null,
    display: displays.find((known) => known === display) ?? null,
  };
}

/** Whether every word of a header is an attribute that we write; others are a person's. */
function isGenerated(header: string): boolean {
  const words = header.split(/\s+/).filter((word) => word !== '');
  const names = new Set(words.map((word) => attribute.exec(word)?.[1]));
  return !words.some(isRemark) && names.size === words.length;
}

/** Whether a word of a result's first line was written by a person. */
export function isRemark(word: string): boolean {
  return !attribute.test(word);
}

const attribute = /^(req|sum|code|type|as|display)=\w+$/;

const types: readonly ResultType[] = ['text', 'json', 'markdown', 'image'];
