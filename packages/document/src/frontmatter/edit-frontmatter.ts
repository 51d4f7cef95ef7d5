import { isMap, type YAMLMap } from 'yaml';
import { applyEdits, type TextEdit } from '../edits.ts';
import { appendPair, removePair, replaceValue } from './edit-yaml-map.ts';
import type { FrontmatterValues } from './parse-frontmatter.ts';
import { type NoteParts, readParts } from './read-parts.ts';
import { markLength } from './split-note.ts';

/** What shall be different in a note's frontmatter; every other key keeps its bytes. */
export interface FrontmatterEdit {
  readonly set: FrontmatterValues;
  readonly remove: readonly string[];
}

/**
 * The note with its frontmatter changed and nothing else: comments, order, quoting and line ends of
 * other keys survive. Undefined when the frontmatter is broken or written so that this cannot be done.
 */
export function editFrontmatter(text: string, edit: FrontmatterEdit): string | undefined {
  const parts = readParts(text);
  if (parts.parsed?.status === 'broken') return undefined;
  const values = parts.parsed?.values ?? {};
  const set = Object.entries(edit.set).filter(
    ([key, value]) => !Object.hasOwn(values, key) || !isSameValue(values[key], value),
  );
  const remove = edit.remove.filter((key) => Object.hasOwn(values, key));
  if (set.length === 0 && remove.length === 0) return text;

  const kept = Object.entries(values).filter(([key]) => !remove.includes(key));
  const expected = Object.fromEntries([...kept, ...set]);
  const edited = applyEdit(text, parts, set, remove);
  const body = text.slice(parts.split.bodyStart);
  return edited !== undefined && isFaithful(edited, expected, body) ? edited : undefined;
}

/** A note made of a frontmatter and a body, with the byte order mark and line ends of another text. */
export function withFrontmatter(like: string, values: FrontmatterValues, body: string): string {
  const mark = like.slice(0, markLength(like));
  const lineEnd = lineEndOf(like);
  const lines = Object.entries(values).map(([key, value]) => appendPair(key, value, '', lineEnd));
  // A body that begins like frontmatter would be read as such; an empty frontmatter before it prevents that.
  if (lines.length === 0 && readParts(mark + body).parsed === undefined) return mark + body;
  return `${mark}---${lineEnd}${lines.join('')}---${lineEnd}${body}`;
}

/** Whether reading the edited note gives exactly this; YAML has more syntax than these edits cover. */
export function isFaithful(text: string, values: FrontmatterValues, body: string): boolean {
  const { split, parsed } = readParts(text);
  if (parsed?.status === 'broken' || text.slice(split.bodyStart) !== body) return false;
  return isSameValue({ ...parsed?.values }, { ...values });
}

/** Whether two values of YAML say the same; the order of keys does not count. */
function isSameValue(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  const [mine, theirs] = [Object.entries(one), new Map(Object.entries(other))];
  return (
    mine.length === theirs.size &&
    mine.every(([key, value]) => theirs.has(key) && isSameValue(value, theirs.get(key)))
  );
}

/** The line end a note uses: that of its first line. */
export function lineEndOf(text: string): '\n' | '\r\n' {
  const first = text.indexOf('\n');
  return first > 0 && text[first - 1] === '\r' ? '\r\n' : '\n';
}

function applyEdit(
  text: string,
  { split, parsed }: NoteParts,
  set: readonly (readonly [string, unknown])[],
  remove: readonly string[],
): string | undefined {
  const body = text.slice(split.bodyStart);
  if (split.yaml === undefined || parsed?.status !== 'ok') {
    return withFrontmatter(text, Object.fromEntries(set), body);
  }
  const { contents } = parsed.document;
  if (contents !== null && (!isMap(contents) || contents.flow === true)) return undefined;
  const yaml = editYaml(text.slice(...split.yaml), contents, set, remove, lineEndOf(text));
  if (yaml.trim() === '') return withFrontmatter(text, {}, body);
  return text.slice(0, split.yaml[0]) + yaml + text.slice(split.yaml[1]);
}

function editYaml(
  yaml: string,
  map: YAMLMap | null,
  set: readonly (readonly [string, unknown])[],
  remove: readonly string[],
  lineEnd: string,
): string {
  const pairs = new Map((map?.items ?? []).map((pair) => [keyOf(pair.key), pair]));
  const indent = ' '.repeat(columnOf(yaml, map));
  const edits: TextEdit[] = [];
  let added = '';
  for (const [key, value] of set) {
    const pair = pairs.get(key);
    if (pair === undefined) added += appendPair(key, value, indent, lineEnd);
    else edits.push(replaceValue(yaml, pair, key, value, indent, lineEnd));
  }
  for (const key of remove) {
    const pair = pairs.get(key);
    if (pair !== undefined) edits.push(removePair(yaml, pair));
  }
  return applyEdits(yaml, edits) + added;
}

function keyOf(key: unknown): string {
  return String((key as { value?: unknown }).value);
}

function columnOf(yaml: string, map: YAMLMap | null): number {
  const start =
    (map?.items[0]?.key as { range?: [number, number, number] } | undefined)?.range?.[0] ?? 0;
  return start - (yaml.slice(0, start).lastIndexOf('\n') + 1);
}
