import type { ToolDescription } from '../connection.ts';
import { type ToolParameter, toolParameters } from './tool-parameters.ts';

/** A block that calls a tool, ready for a note: required parameters to fill in, the others as comments. */
export function blockTemplate(serverName: string, tool: ToolDescription): string {
  const parameters = toolParameters(tool);
  // A parameter called `tool` would be read as the tool's name, so that one moves to the info line.
  const hasTool = parameters.some(({ name }) => name === 'tool');
  const lines = parameters.map((parameter) => {
    const line = `${plainOrQuoted(parameter.name)}: ${placeholder(parameter)}`;
    return `${parameter.isRequired ? line : `# ${line}`}${remark(parameter)}`;
  });
  return [
    `\`\`\`${serverName}${hasTool ? ` tool=${tool.name}` : ''}`,
    ...(hasTool ? [] : [`tool: ${plainOrQuoted(tool.name)}`]),
    ...lines,
    '```',
  ].join('\n');
}

function placeholder({ standard, choices }: ToolParameter): string {
  const value = standard ?? choices?.[0];
  return value === undefined ? '' : JSON.stringify(value);
}

function remark({ type, description }: ToolParameter): string {
  const words = [type, description.split('\n')[0]?.trim()].filter(Boolean).join(': ');
  return ` # ${words}`;
}

function plainOrQuoted(name: string): string {
  return /^[A-Za-z_][\w.-]*$/.test(name) ? name : JSON.stringify(name);
}
