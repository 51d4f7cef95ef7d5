import type { ServerConfig } from '../settings.ts';
import { sortedJson } from '../text/sorted-json.ts';
import type { Tools } from './tool-list.ts';

type ToolRules = ServerConfig['tools'];

/** Whether the entry of a server lets anybody use a tool: `deny` wins over `allow`. */
export function isToolAllowed(name: string, { allow, deny = [] }: NonNullable<ToolRules>): boolean {
  if (deny.some((pattern) => fits(pattern, name))) return false;
  return allow === undefined || allow.some((pattern) => fits(pattern, name));
}

/** The rules that fit none of these tools: most likely misspelt. */
export function unusedRules(
  names: readonly string[],
  rules: NonNullable<ToolRules>,
): readonly string[] {
  const { allow = [], deny = [] } = rules;
  return [...allow, ...deny].filter((pattern) => !names.some((name) => fits(pattern, name)));
}

/** Leaves out what an entry does not allow; the same object as long as neither tools nor rules change. */
export class ToolFilter {
  #from: Tools | undefined;
  #rules = '';
  #filtered: Tools = new Map();

  apply(tools: Tools, rules: ToolRules): Tools {
    if (rules === undefined) return tools;
    const written = sortedJson(rules);
    if (this.#from === tools && this.#rules === written) return this.#filtered;
    this.#from = tools;
    this.#rules = written;
    this.#filtered = new Map([...tools].filter(([name]) => isToolAllowed(name, rules)));
    return this.#filtered;
  }
}

/** Whether a name fits a pattern in which `*` stands for any characters. */
function fits(pattern: string, name: string): boolean {
  const parts = pattern.split('*');
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  if (parts.length === 1) return pattern === name;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
