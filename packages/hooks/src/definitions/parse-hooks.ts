import { isRecord } from '@errand/wire';
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { type Hook, hookSchema } from '../hook-schema.ts';
import { hookMistakes, unknownKeys } from './hook-mistakes.ts';

/** Something wrong in a file of hooks. Line and column count from 1. */
export interface HookProblem {
  /** What is wrong and what to write; never repeats what was written. */
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly hookId?: string;
  readonly hookName?: string;
  /** Set when what cannot be used may be a hook that agents have to wait for. */
  readonly mayGuard?: true;
}

/** The hooks of a file that can be used, and what is wrong with the others. */
export interface ParsedHooks {
  readonly hooks: readonly Hook[];
  readonly problems: readonly HookProblem[];
}

/** A hook and where it stands in the file's list. */
export interface LocatedHook {
  readonly hook: Hook;
  readonly index: number;
}

/** Reads `.errand/hooks.json`. Comments are allowed; a broken entry is a problem and stops no other. */
export function parseHooks(text: string): ParsedHooks {
  const { entries, problems } = locateHooks(text);
  return { hooks: entries.map(({ hook }) => hook), problems };
}

/** Reads hooks with their places, for editing. */
export function locateHooks(text: string): {
  readonly entries: readonly LocatedHook[];
  readonly problems: readonly HookProblem[];
  /** Whether there is a list of hooks; `unreadable` when the text as a whole cannot be used. */
  readonly list: 'present' | 'missing' | 'unreadable';
} {
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const whole = (message: string, offset = 0) => ({
    entries: [],
    problems: [{ message, ...positionAt(json, offset), mayGuard: true as const }],
    list: 'unreadable' as const,
  });
  if (json.length > longestFile) return whole('The file is larger than 4 MB. Remove hooks.');
  const parsed = parseTolerantly(json);
  if (parsed === undefined) return whole('The file is nested too deeply to hold hooks.');
  const { root, value, errors } = parsed;
  const [error] = errors;
  // Half of a hook could do more than the whole: a condition might be missing.
  if (error !== undefined || root === undefined) {
    const what = error === undefined ? '' : ` (${printParseErrorCode(error.error)})`;
    return whole(
      json.trim() === ''
        ? 'The file is empty. Write { "version": 1, "hooks": [] } into it.'
        : `This is not JSON${what}. No hook of the file is used until it is.`,
      error?.offset,
    );
  }
  const place = (path: readonly (string | number)[]) => positionAt(json, offsetOf(root, path));
  const mistake = wholeMistake(value);
  if (mistake !== undefined) return whole(mistake.message, offsetOf(root, mistake.path));
  const list = isRecord(value) ? value.hooks : undefined;
  const problems: HookProblem[] = [];
  const entries: LocatedHook[] = [];
  const names = new Set<string>();
  for (const [index, raw] of (Array.isArray(list) ? list : []).entries()) {
    const report = (path: readonly (string | number)[], message: string) => {
      if (problems.length < mostProblems) {
        problems.push({
          message,
          ...place(['hooks', index, ...path]),
          ...namesOf(raw),
          ...guardOf(raw),
        });
      }
    };
    const node = findNodeAtLocation(root, ['hooks', index]);
    const hook = readHook(raw, node, names, report);
    if (hook !== undefined) entries.push({ hook, index });
  }
  return { entries, problems, list: list === undefined ? 'missing' : 'present' };
}

type Report = (path: readonly (string | number)[], message: string) => void;

function readHook(
  raw: unknown,
  node: Node | undefined,
  names: Set<string>,
  report: Report,
): Hook | undefined {
  let isBroken = false;
  const refuse: Report = (path, message) => {
    isBroken = true;
    report(path, message);
  };
  const flaw = node && findFlaw(node, []);
  if (flaw !== undefined) {
    refuse(flaw.path, flaw.message);
    return undefined;
  }
  for (const { path, message } of unknownKeys(raw)) refuse(path, message);
  const result = hookSchema.safeParse(raw, { error: missingObject });
  if (!result.success) {
    for (const { path, message } of result.error.issues) {
      refuse(
        path.filter((key) => typeof key !== 'symbol'),
        message,
      );
    }
    return undefined;
  }
  const hook = result.data;
  for (const { path, message } of hookMistakes(hook)) refuse(path, message);
  for (const key of ['name', 'id'] as const) {
    const taken = `${key} ${hook[key].toLowerCase()}`;
    if (names.has(taken)) refuse([key], `A hook before it has this ${key}. Write another ${key}.`);
    names.add(taken);
  }
  return isBroken ? undefined : hook;
}

function wholeMistake(
  value: unknown,
): { readonly path: readonly string[]; readonly message: string } | undefined {
  const shape = 'Write { "version": 1, "hooks": [ … ] }.';
  if (!isRecord(value)) return { path: [], message: `Hooks are a list in an object. ${shape}` };
  const { version, hooks } = value;
  if (typeof version === 'number' && version > 1) {
    const message = `These hooks have version ${version}, made by a newer Errand than this one, which reads version 1. Update Errand.`;
    return { path: ['version'], message };
  }
  if (version !== undefined && version !== 1) {
    return { path: ['version'], message: 'The version is not known. Write "version": 1.' };
  }
  if (hooks !== undefined && !Array.isArray(hooks)) {
    return { path: ['hooks'], message: `"hooks" is a list. ${shape}` };
  }
  return undefined;
}

function parseTolerantly(json: string) {
  const errors: ParseError[] = [];
  try {
    const root = parseTree(json, errors, { allowTrailingComma: true });
    return { root, value: root && (getNodeValue(root) as unknown), errors };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** What makes an entry ambiguous or too deep to be read safely. */
function findFlaw(
  node: Node,
  path: (string | number)[],
): { readonly path: readonly (string | number)[]; readonly message: string } | undefined {
  const children = node.children ?? [];
  if (children.length === 0) return undefined;
  if (path.length > deepestEntry) return { path, message: 'This is nested too deeply.' };
  const seen = node.type === 'object' ? new Set<string>() : undefined;
  for (const [index, child] of children.entries()) {
    const key = seen === undefined ? index : String(child.children?.[0]?.value);
    path.push(key);
    if (seen?.has(String(key))) {
      return { path, message: 'This is written twice. Delete one of them.' };
    }
    seen?.add(String(key));
    const inner = seen === undefined ? child : child.children?.[1];
    const deeper = inner && findFlaw(inner, path);
    if (deeper !== undefined) return deeper;
    path.pop();
  }
  return undefined;
}

function namesOf(raw: unknown): { readonly hookId?: string; readonly hookName?: string } {
  if (!isRecord(raw)) return {};
  const { id, name } = raw;
  return {
    ...(typeof id === 'string' && { hookId: id.slice(0, 100) }),
    ...(typeof name === 'string' && { hookName: name.slice(0, 100) }),
  };
}

/** By its own fields, since the entry as a whole is no hook. */
function guardOf(raw: unknown): { readonly mayGuard?: true } {
  if (!isRecord(raw) || raw.enabled === false || !isRecord(raw.trigger)) return {};
  const { kind, waitForCompletion } = raw.trigger;
  return kind === 'agent-operation' && waitForCompletion === true ? { mayGuard: true } : {};
}

/** Where a value, or the nearest thing around it, begins. */
function offsetOf(root: Node, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node !== undefined) {
      return node.parent?.type === 'property' ? node.parent.offset : node.offset;
    }
  }
  return root.offset;
}

function positionAt(text: string, offset: number) {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

const longestFile = 4_000_000;
const mostProblems = 200;
const deepestEntry = 50;

/** For entries, parameters and other objects that have no sentence of their own. */
function missingObject({
  code,
  expected,
}: {
  readonly code?: string;
  readonly expected?: unknown;
}) {
  return code === 'invalid_type' && expected === 'object'
    ? 'Write an object, in braces.'
    : undefined;
}
