import type { ToolDescription } from '@errand/host';
import { oneLine, toolParameters } from '@errand/host';
import { table } from './table.ts';

/** A tool as a person reads it: its name, what it does, and its parameters, the required ones first. */
export function describeTool(tool: ToolDescription): string {
  const { name, description, annotations, broken } = tool;
  const hints = [
    ...(annotations?.readOnlyHint ? ['only reads'] : []),
    ...(annotations?.destructiveHint ? ['may destroy'] : []),
    ...(broken === undefined ? [] : [`cannot be called: ${broken}`]),
  ];
  const summary = description?.split('\n')[0] ?? '';
  const rows = toolParameters(tool).map((parameter) => [
    `      ${parameter.name}`,
    parameter.isRequired ? `${parameter.type}, required` : parameter.type,
    parameter.description.split('\n')[0] ?? '',
  ]);
  const head = `  ${name}${hints.length > 0 ? ` (${hints.join(', ')})` : ''}`;
  return `${oneLine(head)}\n${summary === '' ? '' : `    ${oneLine(summary)}\n`}${table(rows)}`;
}
