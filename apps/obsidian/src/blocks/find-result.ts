import { type FencedResult, findFencedResults, type NoteScan } from '@errand/document';
import { isPicture } from '@errand/document/display';
import type { LineRange } from './find-block.ts';
import { withoutLastBreaks } from './without-last-breaks.ts';

/** What is known of a result that is rendered: its language, and its text. */
export interface RenderedResult {
  readonly status: FencedResult['status'];
  readonly body: string;
}

/** What is shown of a result. */
export type ShownResult = Pick<FencedResult, 'status' | 'type' | 'code' | 'display' | 'payload'>;

/**
 * A rendered result with what its first line says, which Obsidian does not tell. Where the note cannot be
 * read, as on a canvas, its type is told from its text.
 */
export function findResult(
  note: NoteScan | undefined,
  { status, body }: RenderedResult,
  place: LineRange | undefined,
): ShownResult {
  const payload = withoutLastBreaks(body);
  const same = (note === undefined ? [] : (byPayload(note).get(payload) ?? [])).filter(
    (result) => result.status === status,
  );
  const found = same.find(({ line }) => line - 1 === place?.lineStart) ?? same[0];
  return found ?? { status, type: guessType(payload), code: null, display: null, payload };
}

const known = new WeakMap<NoteScan, ReadonlyMap<string, readonly FencedResult[]>>();

/** Looked up once for all results of a note, of which there may be hundreds. */
function byPayload(note: NoteScan): ReadonlyMap<string, readonly FencedResult[]> {
  const before = known.get(note);
  if (before !== undefined) return before;
  const found = new Map<string, FencedResult[]>();
  for (const result of findFencedResults(note)) {
    const payload = withoutLastBreaks(result.payload);
    const same = found.get(payload);
    if (same === undefined) found.set(payload, [result]);
    else same.push(result);
  }
  known.set(note, found);
  return found;
}

function guessType(payload: string): ShownResult['type'] {
  if (parseJson(payload) !== undefined) return 'json';
  return !payload.includes('\n') && isPicture(payload) ? 'image' : 'text';
}

/** An object or a list that a text holds. */
export function parseJson(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
