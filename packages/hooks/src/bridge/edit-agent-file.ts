import { isRecord, type JsonObject } from '@errand/wire';
import { createScanner, findNodeAtLocation, type Node } from 'jsonc-parser';
import { findCommands, parseAgentFile } from './read-agent-file.ts';

/** An entry of ours and the list that it belongs to: `hooks`, then the name of an event. */
export interface AgentEntry {
  readonly event: string;
  readonly value: JsonObject;
}

// What is inserted into a container that was empty follows its bracket directly; in a container that is made here,
// white space follows the bracket. By that, `removeEntries` tells which empty containers were there before, and a
// file is afterwards what it was, byte for byte.

/**
 * A file with entries added to the lists of their events, once, and with every other character as it was.
 * A file that is missing is made. Throws `AgentFileError` when the file cannot be read.
 */
export function addEntries(
  text: string | undefined,
  entries: readonly AgentEntry[],
  isOurs: (command: string) => boolean,
  { isVersioned }: { readonly isVersioned: boolean },
): string {
  if (text === undefined) {
    const hooks = Object.fromEntries(entries.map(({ event, value }) => [event, [value]]));
    // `removeEntries` knows by this order that the whole file is ours.
    return `${JSON.stringify({ hooks, ...(isVersioned && { version: 1 }) }, undefined, 2)}\n`;
  }
  return entries.reduce((json, entry) => addEntry(json, entry, isOurs), text);
}

/** A file without our entries and what was made for them; undefined when the file itself was. */
export function removeEntries(
  text: string,
  isOurs: (command: string) => boolean,
): string | undefined {
  let json: string | undefined = text;
  // From the end, as what was added last is removed first.
  for (;;) {
    const last: Node | undefined = findCommands(parseAgentFile(json), isOurs).at(-1)?.handler;
    if (last === undefined) return json;
    const shorter: string | undefined = remove(json, whole(last));
    if (shorter === undefined) return undefined;
    json = shorter;
  }
}

function addEntry(
  json: string,
  { event, value }: AgentEntry,
  isOurs: (command: string) => boolean,
) {
  const root = parseAgentFile(json);
  const known = findCommands(root, isOurs).find((each) => each.event === event);
  if (known !== undefined) return withCommand(json, known.command, commandOf(value));
  const list = findNodeAtLocation(root, ['hooks', event]);
  if (list !== undefined) return insert(json, list, value);
  const hooks = findNodeAtLocation(root, ['hooks']);
  if (hooks !== undefined) return insert(json, hooks, [value], event);
  return insert(json, root, { [event]: [value] }, 'hooks');
}

function withCommand(json: string, { value, offset, length }: Node, command: string): string {
  if (value === command) return json;
  return json.slice(0, offset) + JSON.stringify(command) + json.slice(offset + length);
}

function commandOf({ command, hooks }: JsonObject): string {
  const [inner] = Array.isArray(hooks) ? hooks : [];
  return String(isRecord(inner) ? inner.command : command);
}

/** Adds a value to the end of a list, or with a key to that of an object. */
function insert(json: string, container: Node, value: unknown, key?: string): string {
  const name = key === undefined ? '' : `${JSON.stringify(key)}: `;
  const last = container.children?.at(-1);
  if (last === undefined) {
    const at = container.offset + 1;
    return json.slice(0, at) + name + onOneLine(value) + json.slice(at);
  }
  const isOneLine = !json.slice(container.offset, endOf(container)).includes('\n');
  const indent = indentAt(json, last.offset);
  const newLine = json.includes('\r\n') ? '\r\n' : '\n';
  const lines = JSON.stringify(value, undefined, indentUnit(json)).split('\n');
  const item = isOneLine
    ? ` ${name}${onOneLine(value)}`
    : newLine + indent + name + lines.join(newLine + indent);
  const { end, comma } = tailOf(json, last);
  if (comma !== undefined) return `${json.slice(0, end)}${item},${json.slice(end)}`;
  const at = endOf(last);
  return `${json.slice(0, at)},${json.slice(at, end)}${item}${json.slice(end)}`;
}

function onOneLine(value: unknown): string {
  return JSON.stringify(value, undefined, 1)
    .split('\n')
    .map((line) => line.trim())
    .join(' ');
}

/** The element of an event's list that holds nothing but a handler of ours, or else the handler. */
function whole(handler: Node): Node {
  const list = handler.parent;
  const group = list?.parent?.parent;
  const isGrouped = list?.children?.length === 1 && list.parent?.children?.[0]?.value === 'hooks';
  return isGrouped && group?.parent?.type === 'array' ? group : handler;
}

/** Takes an element or property out, and what was made to hold it; undefined when that is the whole file. */
function remove(json: string, node: Node): string | undefined {
  const container = node.parent;
  if (container === undefined) return undefined;
  const siblings = container.children ?? [];
  const isMadeHere = /\s/.test(json[container.offset + 1] ?? '');
  const rest = siblings.filter((sibling) => sibling !== node);
  const isFile = container.parent === undefined;
  if (isMadeHere && rest.length === 0) {
    const holder = container.parent?.type === 'property' ? container.parent : container;
    return isFile ? undefined : remove(json, holder);
  }
  if (isMadeHere && isFile && siblings[0] === node && rest.length === 1 && isVersion(rest[0])) {
    return undefined;
  }
  return takeOut(json, node, siblings);
}

function isVersion(property: Node | undefined): boolean {
  return property?.children?.[0]?.value === 'version';
}

function takeOut(json: string, node: Node, siblings: readonly Node[]): string {
  const index = siblings.indexOf(node);
  const before = siblings[index - 1];
  const { comma } = tailOf(json, node);
  const isFirst = before === undefined;
  // The white space in front belongs to it, except where it is the only one and follows the bracket.
  const from =
    isFirst && siblings.length === 1 ? node.offset : json.slice(0, node.offset).trimEnd().length;
  const end = endOf(node);
  const after =
    comma === undefined ? json.slice(end) : json.slice(end, comma) + json.slice(comma + 1);
  const kept = json.slice(0, from);
  if (comma !== undefined || isFirst) return kept + after;
  const separator = tailOf(json, before).comma ?? endOf(before);
  return kept.slice(0, separator) + kept.slice(separator + 1) + after;
}

/** Where what belongs to a value ends, comments included, and where the comma after it is. */
function tailOf(
  json: string,
  node: Node,
): { readonly end: number; readonly comma: number | undefined } {
  const scanner = createScanner(json);
  scanner.setPosition(endOf(node));
  let end = endOf(node);
  let comma: number | undefined;
  for (;;) {
    const token = scanner.scan() as number;
    const isComma = token === comments.comma && comma === undefined;
    if (isComma) comma = scanner.getTokenOffset();
    else if (token !== comments.line && token !== comments.block && !blanks.has(token)) break;
    if (!blanks.has(token)) end = scanner.getTokenOffset() + scanner.getTokenLength();
  }
  return { end, comma };
}

// The scanner's own enumeration is one of constants, which cannot be imported as values.
const comments = { comma: 5, line: 12, block: 13 } as const;
const blanks: ReadonlySet<number> = new Set([14, 15]);

function endOf({ offset, length }: Node): number {
  return offset + length;
}

/** The blanks at the start of the line that an offset is on. */
function indentAt(json: string, offset: number): string {
  const line = json.slice(json.lastIndexOf('\n', offset) + 1);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function indentUnit(json: string): string {
  return /\n([ \t]+)\S/.exec(json)?.[1] ?? '  ';
}
