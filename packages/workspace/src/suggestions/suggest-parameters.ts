import type { NoteScan, RequestCursor } from '@errand/document';
import {
  parameterLine,
  type ToolDescription,
  type ToolParameter,
  toolParameters,
  writtenValues,
} from '@errand/host';
import type { Insertion, Suggestion } from './suggestion.ts';

type Place<Kind> = Extract<RequestCursor, { readonly kind: Kind }>;

/**
 * Parameter names for the beginning of a line. An empty line gets none once every required parameter is
 * there, so that Enter can end the block.
 */
export function suggestNames(
  place: Place<'name'>,
  tool: ToolDescription | undefined,
): readonly Suggestion[] {
  if (place.tool === null) {
    const choice = { kind: 'write', ...write(place, 'tool: ', 6, 6) } as const;
    return [{ label: 'tool', detail: 'required', description: 'Which tool to call', choice }];
  }
  const missing = (tool === undefined ? [] : toolParameters(tool)).filter(
    ({ name }) => !place.names.includes(name),
  );
  if (place.typed === '' && !missing.some(({ isRequired }) => isRequired)) return [];
  return missing.map((parameter) => {
    const { text, from, to } = parameterLine(parameter);
    return {
      label: parameter.name,
      detail: detailOf(parameter),
      description: parameter.description.split('\n', 1)[0] ?? '',
      choice: { kind: 'write', ...write(place, text.slice(0, to), from, to) },
    };
  });
}

/** Likely values of a parameter; none once one of them is written. */
export function suggestValues(
  { text }: NoteScan,
  place: Place<'value'>,
  tool: ToolDescription | undefined,
): readonly Suggestion[] {
  const parameter = (tool === undefined ? [] : toolParameters(tool)).find(
    ({ name }) => name === place.name,
  );
  if (parameter === undefined) return [];
  const values = writtenValues(parameter);
  if (values.some((value) => value.text === place.typed)) return [];
  const lead = text[place.from - 1] === ':' ? ' ' : '';
  return values.map(({ value, label, text: own }) => {
    const written = lead + own;
    return {
      label,
      detail: value === parameter.standard ? 'default' : '',
      description: '',
      choice: { kind: 'write', ...write(place, written, written.length, written.length) },
    };
  });
}

function detailOf({ type, isRequired }: ToolParameter): string {
  return isRequired ? `${type}, required` : type;
}

/** Replaces what is at the place by the text, and selects a part of it. */
function write({ from, to }: RequestCursor, text: string, first: number, last: number): Insertion {
  return { edits: [{ range: [from, to], text }], selection: [from + first, from + last] };
}
