import { isCollection, isPair, isScalar, type Node, type Pair, stringify } from 'yaml';
import type { TextEdit } from '../edits.ts';

/** Puts another value behind a key; a comment at the end of its line stays. */
export function replaceValue(
  yaml: string,
  pair: Pair,
  key: string,
  value: unknown,
  indent: string,
  lineEnd: string,
): TextEdit {
  const range = ownRange(yaml, pair);
  // A block of text would swallow the comment.
  const blockQuote = !/^[ \t]+#/.test(yaml.slice(range[1]));
  return { range, text: pairText(key, value, indent, lineEnd, blockQuote) };
}

/** Takes a key, its value and the rest of its line away; comments above it stay. */
export function removePair(yaml: string, pair: Pair): TextEdit {
  const [start, end] = ownRange(yaml, pair);
  const lineStart = yaml.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = yaml.indexOf('\n', end);
  return { range: [lineStart, lineEnd === -1 ? yaml.length : lineEnd + 1], text: '' };
}

/** The lines of a new key and its value. */
export function appendPair(key: string, value: unknown, indent: string, lineEnd: string): string {
  return indent + pairText(key, value, indent, lineEnd, true) + lineEnd;
}

/** From the key to the last character of its value; comments and empty lines below are not its own. */
function ownRange(yaml: string, pair: Pair): readonly [number, number] {
  const key = pair.key as Node;
  const last = lastNode(pair.value as Node | null);
  const start = key.range?.[0] ?? 0;
  const end = Math.max(last?.range?.[1] ?? 0, key.range?.[1] ?? 0);
  const own = yaml.slice(start, end);
  return [start, start + (isBlockText(last) ? own.replace(/\r?\n$/, '') : withoutTail(own)).length];
}

/** The value that ends another: of a list or mapping its last one, however deep. */
function lastNode(value: Node | null): Node | null {
  const item = isCollection(value) && value.flow !== true ? value.items.at(-1) : undefined;
  if (item === undefined) return value;
  return lastNode((isPair(item) ? (item.value ?? item.key) : item) as Node | null);
}

function isBlockText(value: Node | null): boolean {
  return isScalar(value) && (value.type === 'BLOCK_LITERAL' || value.type === 'BLOCK_FOLDED');
}

/** The library counts what follows a list or mapping to it, up to the next key. */
function withoutTail(text: string): string {
  return text.replace(/(?:\r?\n[ \t]*(?:#[^\n]*)?)+$/, '').trimEnd();
}

function pairText(
  key: string,
  value: unknown,
  indent: string,
  lineEnd: string,
  blockQuote: boolean,
): string {
  return stringify({ [key]: value }, { lineWidth: 0, blockQuote })
    .replace(/\n$/, '')
    .replaceAll(/\n(?=[^\n])/g, `\n${indent}`)
    .replaceAll('\n', lineEnd);
}
