import { type Document, isMap, isScalar } from 'yaml';
import { describeYamlError } from '../describe-yaml-error.ts';
import { parseYaml } from '../parse-yaml.ts';
import type { NoteScan } from '../scan/note-scan.ts';

/** The parsed frontmatter of a note, with its position in the note. */
export interface FrontmatterYaml {
  readonly document: Document.Parsed;
  /** The first syntax error, with its line in the note. */
  readonly error: { readonly message: string; readonly line: number } | null;
  /** The value of the key `mcp`; undefined when there is no such key. */
  readonly mcp: unknown;
  /** The note's line for an offset into the YAML. */
  lineAt(offset: number): number;
  /** Where the YAML begins in the note. */
  readonly from: number;
}

export function parseFrontmatter({ frontmatter, text }: NoteScan): FrontmatterYaml | null {
  if (frontmatter === null) return null;
  const { bodyFrom, bodyTo, line } = frontmatter;
  // YAML does not count a lone CR as a line end; offsets and lines must match those of the note.
  const body = text.slice(bodyFrom, bodyTo).replace(/\r(?!\n)/g, '\n');
  const { document, lines } = parseYaml(body);
  const { contents } = document;
  const pair = isMap(contents)
    ? contents.items.find(({ key }) => textOf(key) === 'mcp')
    : undefined;
  const lineAt = (offset: number) => line + lines.linePos(offset).line;
  const error = document.errors[0];
  return {
    document,
    error: error ? { message: describeYamlError(error, body), line: lineAt(error.pos[0]) } : null,
    mcp: pair === undefined ? undefined : pair.value,
    lineAt,
    from: bodyFrom,
  };
}

/** Whether a value is absent or null. */
export function isNothing(value: unknown): boolean {
  return value === null || value === undefined || (isScalar(value) && value.value === null);
}

/** A scalar's text; empty for anything else. */
export function textOf(value: unknown): string {
  return isScalar(value) && value.value !== null ? (value.source ?? String(value.value)) : '';
}
