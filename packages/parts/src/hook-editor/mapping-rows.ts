import type { ParameterMapping } from '@errand/hooks';
import { shapeOf } from '../schema-form/shape-of.ts';

/** A parameter of a tool with where its value comes from. */
export interface MappingRow {
  readonly name: string;
  /** Undefined when the tool has no such parameter. */
  readonly schema: unknown;
  readonly isKnown: boolean;
  readonly isRequired: boolean;
  readonly mapping: ParameterMapping | undefined;
}

/** The parameters of a tool, the required first, then mappings of parameters that it does not have. */
export function mappingRows(
  inputSchema: Readonly<Record<string, unknown>> | undefined,
  mappings: readonly ParameterMapping[],
): readonly MappingRow[] {
  const shape = inputSchema && shapeOf(inputSchema, inputSchema);
  const fields = shape?.kind === 'object' ? shape.fields : [];
  const known = fields
    .toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired))
    .map(({ name, schema, isRequired }) => ({
      name,
      schema,
      isKnown: true,
      isRequired,
      mapping: mappings.find(({ toolParam }) => toolParam === name),
    }));
  const names = new Set(fields.map(({ name }) => name));
  const others = mappings
    .filter(({ toolParam }) => !names.has(toolParam))
    .map((mapping) => ({
      name: mapping.toolParam,
      schema: undefined,
      isKnown: false,
      isRequired: false,
      mapping,
    }));
  return [...known, ...others];
}

/** The mappings with that of one parameter replaced, added or left out. */
export function putMapping(
  mappings: readonly ParameterMapping[],
  name: string,
  mapping: Omit<ParameterMapping, 'toolParam'> | undefined,
): readonly ParameterMapping[] {
  const index = mappings.findIndex(({ toolParam }) => toolParam === name);
  if (mapping === undefined) return mappings.filter(({ toolParam }) => toolParam !== name);
  const put = { ...mapping, toolParam: name };
  return index === -1 ? [...mappings, put] : mappings.with(index, put);
}

/** The required parameters that nothing is mapped to. */
export function uncoveredNames(rows: readonly MappingRow[]): readonly string[] {
  return rows
    .filter(({ isRequired, mapping }) => isRequired && mapping === undefined)
    .map(({ name }) => name);
}
