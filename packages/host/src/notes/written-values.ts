import { valueText } from '@errand/document';
import { likelyValues, type ToolParameter } from './tool-parameters.ts';

/** A value that a parameter can be expected to get. */
interface WrittenValue {
  readonly value: unknown;
  /** As people read it. */
  readonly label: string;
  /** As it stands in a request. */
  readonly text: string;
}

/** The likely values of a parameter in words. They are put into words once: there may be thousands. */
export function writtenValues(parameter: ToolParameter): readonly WrittenValue[] {
  const known = written.get(parameter) ?? likelyValues(parameter).map(write);
  written.set(parameter, known);
  return known;
}

const written = new WeakMap<ToolParameter, readonly WrittenValue[]>();

function write(value: unknown): WrittenValue {
  const label = typeof value === 'string' ? value : JSON.stringify(value);
  return { value, label, text: valueText(value) };
}
