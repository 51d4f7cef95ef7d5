/** A link from a note to another. */
export interface NoteLink {
  readonly kind: 'wiki' | 'markdown';
  /** What it names: a note's name or path, without `.md`, heading and label. */
  readonly target: string;
  /** Where the target is written in the text, without heading and label. */
  readonly range: readonly [from: number, to: number];
}

const wikiLink = /\[\[([^[\]|#\n]+)(?:#[^[\]|\n]*)?(?:\\?\|[^[\]\n]*)?\]\]/g;
const markdownLink =
  /\]\((?:<([^<>\n#]+)(?:#[^<>\n]*)?>|([^()\s<>#]+)(?:#[^()\s]*)?)(?:\s+["'(][^\n]{0,300}?)?\)/g;

/** The links of a note to others, in order; the text must have its code masked. */
export function findLinks(masked: string): NoteLink[] {
  return [...wikiLinks(masked), ...markdownLinks(masked)].sort((a, b) => a.range[0] - b.range[0]);
}

function wikiLinks(text: string): NoteLink[] {
  return [...text.matchAll(wikiLink)].map((match) => {
    // In a table the bar before the label is escaped, and the backslash is not the target's.
    const written = (match[1] ?? '').replace(/\\$/, '');
    const from = match.index + 2;
    return {
      kind: 'wiki',
      target: withoutSuffix(written.trim()),
      range: [from, from + written.length],
    };
  });
}

function markdownLinks(text: string): NoteLink[] {
  return [...text.matchAll(markdownLink)].flatMap((match): NoteLink[] => {
    const written = match[1] ?? match[2] ?? '';
    const path = decoded(written);
    if (/^[a-z][a-z0-9+.-]*:/i.test(path) || !/\.md$/i.test(path)) return [];
    const from = match.index + (match[1] === undefined ? 2 : 3);
    return [
      { kind: 'markdown', target: withoutSuffix(path), range: [from, from + written.length] },
    ];
  });
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A lone percent sign: the path is written as it is.
    return path;
  }
}

function withoutSuffix(path: string): string {
  return path.replace(/\.md$/i, '');
}
