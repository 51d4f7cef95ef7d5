import {
  findNodeAtLocation,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { HostError } from '../host-error.ts';
import type { SettingsPath } from './settings-problem.ts';

/** Parsed JSON with the positions of its values. */
export interface JsonDocument {
  readonly value: unknown;
  /** Where a value, or the nearest thing around it, begins. */
  locate(path: SettingsPath): Position;
  /** Duplicate keys, whose value would be ambiguous. */
  readonly repeatedKeys: readonly SettingsPath[];
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** Reads strict JSON. Throws `settings_invalid` with file, line and column when it is not. */
export function parseJson(text: string, file: string): JsonDocument {
  const json = withoutByteOrderMark(text);
  const errors: ParseError[] = [];
  const root = withinStack(file, () =>
    parseTree(json, errors, { disallowComments: true, allowTrailingComma: false }),
  );
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    // The engine's own message quotes the file, which may hold a secret.
    throw syntaxError(json, file, errors[0]);
  }
  return {
    value,
    locate: (path) => positionAt(json, offsetOf(root, path)),
    repeatedKeys: withinStack(file, () => findRepeatedKeys(root, [])),
  };
}

/** A byte order mark is allowed in front of JSON files, but it is not JSON. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Line and column, counted from 1, of an offset in a text. */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  return {
    line: before.split('\n').length,
    column: offset - before.lastIndexOf('\n'),
  };
}

/** Explains the parser's error to a person who edits the file by hand. */
export function explainSyntax(error: ParseError | undefined): string {
  return (error && explanations[printParseErrorCode(error.error)]) ?? 'this is not JSON.';
}

const explanations: Readonly<Record<string, string>> = {
  InvalidCommentToken: 'JSON has no comments; delete this one.',
  UnexpectedEndOfComment: 'JSON has no comments; delete this one.',
  PropertyNameExpected: 'a key in double quotes is expected here, or the comma before it must go.',
  ValueExpected: 'a value is expected here, or the comma before it must go.',
  ColonExpected: 'a colon is missing between the key and its value.',
  CommaExpected: 'a comma is missing before this.',
  CloseBraceExpected: 'a closing } is missing.',
  CloseBracketExpected: 'a closing ] is missing.',
  EndOfFileExpected: 'the JSON ends before this; delete the rest.',
  InvalidSymbol: 'this word is not JSON; put text in double quotes.',
  InvalidCharacter: 'this character is not allowed here; put text in double quotes, on one line.',
  InvalidEscapeCharacter: 'a backslash in a text is written twice: \\\\.',
  UnexpectedEndOfString: 'the closing double quote is missing.',
};

function syntaxError(json: string, file: string, error: ParseError | undefined) {
  const { line, column } = positionAt(json, error?.offset ?? 0);
  const mistake =
    json.trim() === '' ? 'the file is empty; write {} into it.' : explainSyntax(error);
  return new HostError(
    'settings_invalid',
    `${file}, line ${line}, column ${column}: ${mistake} The file was left as it is.`,
    { line, column },
  );
}

/** Parses without letting deeply nested brackets overflow the stack. */
export function withinStack<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const message = `${file} is nested too deeply to be settings. The file was left as it is.`;
    throw new HostError('settings_invalid', message, { line: 1, column: 1 }, { cause });
  }
}

function offsetOf(root: Node | undefined, path: SettingsPath): number {
  if (root === undefined) return 0;
  for (let length = path.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node !== undefined) {
      return node.parent?.type === 'property' ? node.parent.offset : node.offset;
    }
  }
  return root.offset;
}

function findRepeatedKeys(node: Node | undefined, path: SettingsPath): SettingsPath[] {
  const children = node?.children ?? [];
  if (node?.type === 'array') {
    return children.flatMap((child, index) => findRepeatedKeys(child, [...path, index]));
  }
  const seen = new Set<string>();
  return children.flatMap((property) => {
    const key = String(property.children?.[0]?.value);
    const repeated = seen.has(key) ? [[...path, key]] : [];
    seen.add(key);
    return [...repeated, ...findRepeatedKeys(property.children?.[1], [...path, key])];
  });
}
