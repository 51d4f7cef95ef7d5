import type { NoteScan, RequestCursor } from '@errand/document';
import {
  parameterLine,
  type ToolDescription,
  type ToolParameter,
  toolParameters,
  writtenValues,
} from '@errand/host';
import type { Insertion, Suggestion } from './suggestion.ts';

type CursorOf<Kind> = Extract<RequestCursor, { readonly kind: Kind }>;

/**
 * Parameter names for the beginning of a line. An empty line gets none once every required parameter is
 * there, so that Enter can end the block.
 */
export function suggestNames(
  cursor: CursorOf<'name'>,
  tool: ToolDescription | undefined,
): readonly Suggestion[] {
  if (cursor.tool === null) {
    const choice = { kind: 'write', ...write(cursor, 'tool: ', 6, 6) } as const;
    return [{ label: 'tool', detail: 'required', description: 'Which tool to call', choice }];
  }
  const missing = (tool === undefined ? [] : toolParameters(tool)).filter(
    ({ name }) => !cursor.names.includes(name),
  );
  if (cursor.typed === '' && !missing.some(({ isRequired }) => isRequired)) return [];
  return missing.map((parameter) => {
    const { text, from, to } = parameterLine(parameter);
    return {
      label: parameter.name,
      detail: detailOf(parameter),
      description: parameter.description.split('\n', 1)[0] ?? '',
      choice: { kind: 'write', ...write(cursor, text.slice(0, to), from, to) },
    };
  });
}

/** Likely values of a parameter; none once one of them is written. */
export function suggestValues(
  { text }: NoteScan,
  cursor: CursorOf<'value'>,
  tool: ToolDescription | undefined,
): readonly Suggestion[] {
  const parameter = (tool === undefined ? [] : toolParameters(tool)).find(
    ({ name }) => name === cursor.name,
  );
  if (parameter === undefined) return [];
  const values = writtenValues(parameter);
  if (values.some((value) => value.text === cursor.typed)) return [];
  const lead = text[cursor.from - 1] === ':' ? ' ' : '';
  return values.map(({ value, label, text: own }) => {
    const written = lead + own;
    return {
      label,
      detail: value === parameter.standard ? 'default' : '',
      description: '',
      choice: { kind: 'write', ...write(cursor, written, written.length, written.length) },
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
