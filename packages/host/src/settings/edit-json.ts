// `modify` of jsonc-parser is not used: with formatting it rewrites neighbouring entries that were written on one line,
// without formatting it puts a whole new entry on one line.
import { isRecord } from '@errand/wire';
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import { sortedJson } from '../text/sorted-json.ts';
import { withoutByteOrderMark } from './parse-json.ts';
import type { SettingsPath } from './settings-problem.ts';

/** A new value for a place; `undefined` removes it, index -1 appends to a list. */
export interface JsonEdit {
  readonly path: SettingsPath;
  readonly value: unknown;
}

/** Changes values in a JSON text and leaves every other character as it is. */
export function editJson(text: string, edits: readonly JsonEdit[]): string {
  const json = withoutByteOrderMark(text);
  const mark = text.slice(0, text.length - json.length);
  return mark + edits.reduce(applyEdit, json);
}

/** The edits that turn one object into another; lists are replaced whole. */
export function diffJson(path: SettingsPath, before: object, after: object): JsonEdit[] {
  const old: Readonly<Record<string, unknown>> = { ...before };
  const wanted: Readonly<Record<string, unknown>> = { ...after };
  return [...new Set([...Object.keys(old), ...Object.keys(wanted)])].flatMap((key) => {
    const [from, to] = [old[key], wanted[key]];
    if (isRecord(from) && isRecord(to)) return diffJson([...path, key], from, to);
    if (sortedJson(from) === sortedJson(to)) return [];
    return [{ path: [...path, key], value: to }];
  });
}

function applyEdit(json: string, { path, value }: JsonEdit): string {
  const root = parseTree(json);
  const key = path.at(-1);
  const container = root && findNodeAtLocation(root, path.slice(0, -1));
  if (root === undefined || container === undefined || key === undefined) {
    throw new Error(`There is no place ${path.join('.')} in the JSON.`);
  }
  const node = findNodeAtLocation(root, [...path]);
  if (value !== undefined) {
    return node === undefined
      ? insert(json, container, key, value)
      : splice(json, node.offset, endOf(node), render(json, node, indentAt(json, node), value));
  }
  return node === undefined ? json : remove(json, container, node);
}

/** Removes the comma before the value, or else the one after it. */
function remove(json: string, container: Node, node: Node): string {
  const children = container.children ?? [];
  const index = children.findIndex((child) => child === node || child === node.parent);
  const [before, after] = [children[index - 1], children[index + 1]];
  if (before !== undefined) return splice(json, endOf(before), endOf(node), '');
  if (after !== undefined) {
    return splice(json, (children[index] ?? node).offset, after.offset, '');
  }
  return splice(json, container.offset + 1, endOf(container) - 1, '');
}

function insert(json: string, container: Node, key: string | number, value: unknown): string {
  const name = typeof key === 'string' ? `${JSON.stringify(key)}: ` : '';
  const newLine = lineBreak(json);
  const last = container.children?.at(-1);
  if (last !== undefined) {
    const indent = indentAt(json, last);
    const gap = isOnOneLine(json, container) ? ' ' : newLine + indent;
    const entry = name + render(json, container, indent, value);
    return splice(json, endOf(last), endOf(last), `,${gap}${entry}`);
  }
  const outer = indentAt(json, container);
  const inner = outer + indentUnit(json);
  const entry = newLine + inner + name + render(json, container, inner, value) + newLine + outer;
  return splice(json, container.offset + 1, endOf(container) - 1, entry);
}

/** A value as JSON in the style of its surroundings: on one line, or one entry per line. */
function render(json: string, place: Node, indent: string, value: unknown): string {
  const lines = JSON.stringify(value, undefined, indentUnit(json)).split('\n');
  const isInLine = isOnOneLine(json, place) && place.children?.length !== 0;
  if (isInLine) return lines.map((line) => line.trim()).join(' ');
  return lines.join(lineBreak(json) + indent);
}

function splice(json: string, from: number, to: number, text: string): string {
  return json.slice(0, from) + text + json.slice(to);
}

function endOf(node: Node): number {
  return node.offset + node.length;
}

function isOnOneLine(json: string, node: Node): boolean {
  return !json.slice(node.offset, endOf(node)).includes('\n');
}

/** The blanks at the start of the line that a value begins on. */
function indentAt(json: string, node: Node): string {
  const line = json.slice(json.lastIndexOf('\n', node.offset) + 1);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function indentUnit(json: string): string {
  return /\n([ \t]+)\S/.exec(json)?.[1] ?? '  ';
}

function lineBreak(json: string): string {
  return json.includes('\r\n') ? '\r\n' : '\n';
}
