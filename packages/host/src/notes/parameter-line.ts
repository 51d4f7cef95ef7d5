import { valueText } from '@errand/document';
import type { ToolParameter } from './tool-parameters.ts';

/** A line for a parameter, whose value stands between the two places. */
interface ParameterLine {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** A parameter to fill in, with what it is as a comment. It is written once: what it is may be huge. */
export function parameterLine(parameter: ToolParameter): ParameterLine {
  const known = lines.get(parameter) ?? writeLine(parameter);
  lines.set(parameter, known);
  return known;
}

const lines = new WeakMap<ToolParameter, ParameterLine>();

function writeLine(parameter: ToolParameter): ParameterLine {
  const name = `${plainOrQuoted(parameter.name)}: `;
  const value = placeholder(parameter);
  const text = `${name}${value}${remark(parameter)}`;
  return { text, from: name.length, to: name.length + value.length };
}

function placeholder({ standard, choices }: ToolParameter): string {
  const value = standard ?? choices?.[0];
  return value === undefined ? '' : valueText(value);
}

/** A stranger's words: a line end in them would end the comment, and what follows be part of the block. */
function remark({ type, description }: ToolParameter): string {
  const [firstLine = ''] = description.trim().split(/[\r\n]/, 1);
  const words = [type, firstLine]
    .map((each) => each.replace(/[\s\p{Cc}]+/gu, ' ').trim())
    .filter(Boolean)
    .map((each) => (each.length > longest ? `${each.slice(0, longest)}…` : each))
    .join(': ');
  return ` # ${words}`;
}

const longest = 200;

/** The name of a tool or parameter as YAML reads it. */
export function plainOrQuoted(name: string): string {
  return /^[A-Za-z_][\w.-]*$/.test(name) ? name : JSON.stringify(name);
}
