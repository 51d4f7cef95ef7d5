import type { Completion, CompletionServer, CompletionTool } from '../../../contract.ts';

/** Something that may stand at the cursor. */
export interface Suggestion {
  readonly label: string;
  /** What is written for it; its label without it. */
  readonly text?: string;
  readonly detail?: string;
  readonly info?: string;
}

export interface Suggestions {
  /** The column, from 0, at which what they replace begins. */
  readonly from: number;
  readonly options: readonly Suggestion[];
}

/** What can be completed at a cursor: lines before it, the last cut at the cursor, and lines behind it. */
export function suggest(
  before: readonly string[],
  after: readonly string[],
  { servers }: Completion,
): Suggestions | undefined {
  const above = before.slice(0, -1);
  const line = before.at(-1) ?? '';
  const fence = openFence(above);
  if (fence === undefined) return suggestServers(line, servers);
  const asked = servers.filter(({ name, enabled }) =>
    fence.server === 'mcp' ? enabled : name.toLowerCase() === fence.server,
  );
  if (asked.length === 0) return undefined;
  const tools = asked.flatMap((server) => server.tools);
  const body = [...above.slice(fence.line + 1), ...bodyBelow(after)].map(withoutContainer);
  const tool = fence.tool ?? toolIn(body);
  return suggestInBody(line, tools, tool, body);
}

function suggestServers(
  line: string,
  servers: readonly CompletionServer[],
): Suggestions | undefined {
  const [, mark, typed] = /^(`{3,}|~{3,})([\w-]*)$/.exec(withoutContainer(line)) ?? [];
  if (mark === undefined || typed === undefined) return undefined;
  return {
    from: line.length - typed.length,
    options: [
      ...servers.map(({ name, enabled, tools }) => ({
        label: name,
        detail: enabled ? toolCount(tools.length) : 'switched off',
      })),
      { label: 'mcp', detail: "the section's server" },
    ],
  };
}

function suggestInBody(
  line: string,
  tools: readonly CompletionTool[],
  chosen: string | undefined,
  body: readonly string[],
): Suggestions | undefined {
  const plain = withoutContainer(line);
  const offset = line.length - plain.length;
  const [, name, space, value] = /^([\w-]+):(\s+)(.*)$/.exec(plain) ?? [];
  if (name !== undefined && space !== undefined && value !== undefined) {
    const from = offset + name.length + 1 + space.length;
    if (name === 'tool') return { from, options: tools.map(describeTool) };
    const parameter = tools
      .find((tool) => tool.name === chosen)
      ?.parameters.find((known) => known.name === name);
    const choices = parameter?.choices ?? [];
    return choices.length === 0
      ? undefined
      : { from, options: choices.map((choice) => ({ label: String(choice) })) };
  }
  if (!/^[\w-]*$/.test(plain)) return undefined;
  const used = new Set(body.map((text) => /^([\w-]+):/.exec(text)?.[1]));
  const parameters = tools.find((tool) => tool.name === chosen)?.parameters ?? [];
  const options = [
    ...(chosen === undefined ? [{ label: 'tool', text: 'tool: ', detail: 'which tool' }] : []),
    ...parameters
      .filter((parameter) => !used.has(parameter.name))
      .map((parameter) => ({
        label: parameter.name,
        text: `${parameter.name}: `,
        detail: parameter.isRequired ? `${parameter.type}, needed` : parameter.type,
        info: parameter.description,
      })),
  ];
  return { from: offset, options };
}

function describeTool({ name, description }: CompletionTool): Suggestion {
  return { label: name, info: description };
}

interface OpenFence {
  readonly line: number;
  readonly mark: string;
  readonly server: string;
  readonly tool: string | undefined;
}

/** The fence that is still open after these lines. */
function openFence(lines: readonly string[]): OpenFence | undefined {
  let open: OpenFence | undefined;
  for (const [line, text] of lines.entries()) {
    const [, mark, info = ''] = /^\s*(`{3,}|~{3,})(.*)$/.exec(withoutContainer(text)) ?? [];
    if (mark === undefined) continue;
    if (open === undefined) {
      const [server = ''] = info.trim().split(/\s+/, 1);
      const tool = /\btool=(\S+)/.exec(info)?.[1];
      open = { line, mark, server: server.toLowerCase(), tool };
    } else if (info.trim() === '' && mark[0] === open.mark[0] && mark.length >= open.mark.length) {
      open = undefined;
    }
  }
  return open;
}

function bodyBelow(lines: readonly string[]): readonly string[] {
  const end = lines.findIndex((line) => /^\s*(?:`{3,}|~{3,})\s*$/.test(withoutContainer(line)));
  return end === -1 ? [] : lines.slice(0, end);
}

function toolIn(body: readonly string[]): string | undefined {
  for (const line of body) {
    const [, name] = /^tool:\s+["']?([^"'\s]+)/.exec(line) ?? [];
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Quote marks, list marks and indents. */
const container = /^(?:[ \t>]|(?:[-*+]|\d{1,9}[.)])[ \t]+(?=[`~>\-*+\d]))*/;

function withoutContainer(line: string): string {
  return line.replace(container, '');
}

function toolCount(count: number): string {
  return count === 0 ? 'tools not known yet' : `${count} tool${count === 1 ? '' : 's'}`;
}
