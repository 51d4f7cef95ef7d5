/** A note's text and where its parts begin; every character belongs to exactly one of them. */
export interface SplitNote {
  readonly text: string;
  /** The YAML between the fences, as a half-open range; undefined when there is no frontmatter. */
  readonly yaml: readonly [number, number] | undefined;
  /** Where the body begins: behind the closing fence, or behind a byte order mark. */
  readonly bodyStart: number;
}

const openingFence = /^\ufeff?---[ \t]*\r?\n/;
const closingFence = /(?<=\n)---[ \t]*(?:\r?\n|$)/g;

/**
 * Finds the frontmatter of a note: YAML between two bare `---` lines, the first of which opens the
 * file. A fence with anything else behind it (`---js`) is text.
 */
export function splitNote(text: string): SplitNote {
  const opening = openingFence.exec(text);
  const start = opening?.[0].length ?? 0;
  const closing = opening === null ? undefined : findClosing(text, start);
  if (closing === undefined) {
    return { text, yaml: undefined, bodyStart: markLength(text) };
  }
  return { text, yaml: [start, closing.start], bodyStart: closing.end };
}

function findClosing(text: string, from: number) {
  closingFence.lastIndex = from;
  const match = closingFence.exec(text);
  return match === null ? undefined : { start: match.index, end: match.index + match[0].length };
}

/** How much of a text is its byte order mark. */
export function markLength(text: string): 0 | 1 {
  return text.startsWith('\ufeff') ? 1 : 0;
}
