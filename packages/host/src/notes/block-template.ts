import type { ToolDescription } from '../connection.ts';
import { parameterLine, plainOrQuoted } from './parameter-line.ts';
import { type ToolParameter, toolParameters } from './tool-parameters.ts';

/** A block that calls a tool, as `requestTemplate` makes it. */
export function blockTemplate(serverName: string, tool: ToolDescription): string {
  return requestTemplate(serverName, tool).lines.join('\n');
}

/** The lines of a block that calls a tool. */
interface RequestTemplate {
  readonly lines: readonly string[];
  /** The first value to fill in, as an index of a line and places in it; the end of a line when there is none. */
  readonly firstValue: { readonly line: number; readonly from: number; readonly to: number };
}

/** A block that calls a tool, ready for a note: required parameters to fill in, the others as comments. */
export function requestTemplate(serverName: string, tool: ToolDescription): RequestTemplate {
  const parameters = writtenParameters(tool);
  const isAbove = isNamedAbove(tool);
  const head = [
    `\`\`\`${serverName}${isAbove ? ` tool=${tool.name}` : ''}`,
    ...(isAbove ? [] : [`tool: ${plainOrQuoted(tool.name)}`]),
  ];
  const written = parameters.map(parameterLine);
  const lines = [
    ...head,
    ...written.map(({ text }, index) => (parameters[index]?.isRequired ? text : `# ${text}`)),
    '```',
  ];
  const [first] = written;
  const line = head.length - 1;
  const end = head[line]?.length ?? 0;
  return {
    lines,
    firstValue:
      first !== undefined && parameters[0]?.isRequired
        ? { line: line + 1, from: first.from, to: first.to }
        : { line, from: end, to: end },
  };
}

/** A parameter called `tool` would be read as the tool's name, so that one moves to the info line if it can stand there. */
export function isNamedAbove(tool: ToolDescription): boolean {
  return toolParameters(tool).some(({ name }) => name === 'tool') && /^[^\s`]+$/.test(tool.name);
}

/** The parameters that a block can give to a tool. */
export function writtenParameters(tool: ToolDescription): readonly ToolParameter[] {
  const isAbove = isNamedAbove(tool);
  return toolParameters(tool).filter(({ name }) => isAbove || name !== 'tool');
}
