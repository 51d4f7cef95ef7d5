import { findNodeAtLocation, type Node, type ParseError, parseTree } from 'jsonc-parser';

/** Why the file of an agent cannot be edited, and where. Line and column count from 1. */
export class AgentFileError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(message: string, text: string, offset: number) {
    super(message);
    const before = text.slice(0, offset);
    this.line = before.split('\n').length;
    this.column = offset - before.lastIndexOf('\n');
  }
}

/** The commands of ours in a file, by event. */
export function findEntries(
  text: string,
  isOurs: (command: string) => boolean,
): readonly { readonly event: string; readonly command: string }[] {
  return findCommands(parseAgentFile(text), isOurs).map(({ event, command }) => ({
    event,
    command: String(command.value),
  }));
}

interface FoundCommand {
  readonly event: string;
  /** The text of the command, and the object that it stands in. */
  readonly command: Node;
  readonly handler: Node;
}

/** Where commands of ours stand. */
export function findCommands(
  root: Node,
  isOurs: (command: string) => boolean,
): readonly FoundCommand[] {
  const events = findNodeAtLocation(root, ['hooks'])?.children ?? [];
  return events.flatMap((property) => {
    const [name, list] = property.children ?? [];
    const handlers = (list?.children ?? []).flatMap((element) => {
      const inner = element.type === 'object' && findNodeAtLocation(element, ['hooks']);
      return inner ? (inner.children ?? []) : [element];
    });
    return handlers.flatMap((handler) => {
      const command = handler.type === 'object' && findNodeAtLocation(handler, ['command']);
      if (!command || typeof command.value !== 'string' || !isOurs(command.value)) return [];
      return [{ event: String(name?.value), command, handler }];
    });
  });
}

/** Reads JSON, with comments and trailing commas where the agent allows them. Throws `AgentFileError`. */
export function parseAgentFile(text: string): Node {
  const errors: ParseError[] = [];
  // A byte order mark is one character, as is the blank in its place.
  const json = text.replace(/^\uFEFF/, ' ');
  const root = parseWithinStack(json, errors);
  const fail = (message: string, { offset }: Pick<Node, 'offset'>) =>
    new AgentFileError(message, json, offset);
  const [error] = errors;
  if (json.trim() === '')
    throw fail('The file is empty. Delete it, or write {} into it.', { offset: 0 });
  if (error !== undefined || root === undefined) {
    throw fail('This is not JSON.', error ?? { offset: 0 });
  }
  if (root.type !== 'object') throw fail('This is not an object in braces.', root);
  const hooks = onlyValue(root, 'hooks', fail);
  if (hooks === undefined) return root;
  if (hooks.type !== 'object') throw fail('"hooks" is not an object in braces.', hooks);
  for (const { children: [name] = [] } of hooks.children ?? []) {
    const list = onlyValue(hooks, String(name?.value), fail);
    if (list !== undefined && list.type !== 'array') {
      throw fail(`"hooks.${name?.value}" is not a list.`, list);
    }
  }
  return root;
}

function parseWithinStack(json: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(json, errors, { allowTrailingComma: true });
  } catch (error) {
    if (error instanceof RangeError) {
      throw new AgentFileError('The file is nested too deeply.', json, 0);
    }
    throw error;
  }
}

/** Of a key that is written twice, an agent reads the last, and others the first. */
function onlyValue(
  object: Node,
  key: string,
  fail: (message: string, place: Node) => AgentFileError,
): Node | undefined {
  const found = (object.children ?? []).filter(({ children }) => children?.[0]?.value === key);
  const [first, second] = found;
  if (second !== undefined) throw fail(`"${key}" is written twice.`, second);
  return first?.children?.[1];
}
