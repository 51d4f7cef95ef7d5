import { nearestName, type SourceValue, typeParams } from '@errand/document';
import { findParameterMistakes } from '@errand/host';
import { isRecord } from '@errand/wire';
import { commonFields } from './context-fields.ts';
import type { ParameterMapping } from './mcp-contract.ts';
import { fieldPath, readField } from './read-field.ts';
import { renderText } from './render-text.ts';

/** The parameters of a tool, typed by its schema, and what kept some from being resolved. */
export interface ResolvedMappings {
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Sentences; with any of them the tool is not to be called. */
  readonly problems: readonly string[];
}

/** Resolves mappings over the context fields; each value gets the type that the tool's schema asks for. */
export function resolveMappings(
  mappings: readonly ParameterMapping[],
  fields: Readonly<Record<string, unknown>>,
  inputSchema: unknown,
): ResolvedMappings {
  const parameters: [string, unknown][] = [];
  const problems: string[] = [];
  const required = requiredOf(inputSchema);
  for (const mapping of mappings) {
    const { toolParam } = mapping;
    const source = sourceOf(mapping, fields);
    if ('problem' in source) {
      problems.push(`Parameter "${toolParam}": ${source.problem}`);
      continue;
    }
    // A field that the event does not have leaves an optional parameter out.
    if (source.value === null && mapping.source === 'context') {
      if (required.includes(toolParam)) {
        problems.push(`Parameter "${toolParam}": This event has no "${mapping.value}".`);
      }
      continue;
    }
    const typed = typeValue(toolParam, source.value, inputSchema);
    parameters.push([toolParam, typed.value]);
    problems.push(...typed.problems);
  }
  problems.push(
    ...unknownParameters(mappings, inputSchema),
    ...uncoveredParameters(mappings, inputSchema).map((name) => `Parameter "${name}" is required.`),
  );
  const resolved = Object.fromEntries(parameters);
  if (problems.length === 0 && isRecord(inputSchema)) {
    problems.push(...findParameterMistakes(inputSchema, resolved));
  }
  return { parameters: resolved, problems };
}

/** The required parameters of a tool that no mapping gives. */
export function uncoveredParameters(
  mappings: readonly ParameterMapping[],
  inputSchema: unknown,
): readonly string[] {
  const covered = new Set(mappings.map(({ toolParam }) => toolParam));
  return requiredOf(inputSchema).filter((name) => !covered.has(name));
}

function requiredOf(inputSchema: unknown): readonly string[] {
  if (!isRecord(inputSchema) || !Array.isArray(inputSchema.required)) return [];
  return inputSchema.required.filter((name) => typeof name === 'string');
}

function unknownParameters(
  mappings: readonly ParameterMapping[],
  inputSchema: unknown,
): readonly string[] {
  if (!isRecord(inputSchema) || !isRecord(inputSchema.properties)) return [];
  const known = Object.keys(inputSchema.properties);
  const isClosed = inputSchema.additionalProperties === false;
  return mappings.flatMap(({ toolParam }) => {
    if (known.includes(toolParam)) return [];
    const meant = nearestName(toolParam, known);
    if (meant === undefined && !isClosed) return [];
    const advice = meant === undefined ? '' : ` Did you mean "${meant}"?`;
    return [`The tool has no parameter "${toolParam}".${advice}`];
  });
}

function sourceOf(
  { source, value }: ParameterMapping,
  fields: Readonly<Record<string, unknown>>,
): { readonly value: unknown } | { readonly problem: string } {
  if (source === 'literal') return { value };
  if (source === 'template') return renderText(value, fields);
  const found = readField(fields, value);
  if (found !== undefined) return { value: found };
  const path = fieldPath(value);
  const parent = path.length === 1 ? fields : readField(fields, path.slice(0, -1).join('.'));
  const own = isRecord(parent) ? Object.keys(parent) : [];
  // Fields that nothing mentions are not collected, but there are.
  const names = path.length === 1 ? [...own, ...commonFields] : own;
  const meant = nearestName(path.at(-1) ?? '', names);
  const whole = meant && [...path.slice(0, -1), meant].join('.');
  const advice = whole === undefined ? '' : ` Did you mean "${whole}"?`;
  return { problem: `There is no context field "${value}".${advice}` };
}

function typeValue(
  name: string,
  value: unknown,
  inputSchema: unknown,
): { readonly value: unknown; readonly problems: readonly string[] } {
  const source = toSource(value, deepest);
  if (source === undefined) {
    const problem = `Parameter "${name}": the value is nested more than ${deepest} levels deep. Pass a flatter value.`;
    return { value, problems: [problem] };
  }
  const typed = typeOne(name, source, inputSchema);
  if (typed.problems.length === 0 || source.kind === 'scalar') return typed;
  // Where the tool wants text, a list or mapping is given as JSON.
  const json = { kind: 'scalar', source: JSON.stringify(value), value, isPlain: false } as const;
  const asText = typeOne(name, json, inputSchema);
  return asText.problems.length === 0 && typeof asText.value === 'string' ? asText : typed;
}

function typeOne(name: string, source: SourceValue, inputSchema: unknown) {
  const { values, problems } = typeParams({ kind: 'map', entries: [[name, source]] }, inputSchema);
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  return { value, problems: problems.map(({ message }) => message) };
}

/** A value as it would have been written; undefined when it is nested too deeply. */
function toSource(value: unknown, levels: number): SourceValue | undefined {
  if (levels === 0) return undefined;
  if (Array.isArray(value)) {
    const items = value.map((item) => toSource(item, levels - 1));
    return items.every((item) => item !== undefined) ? { kind: 'list', items } : undefined;
  }
  if (isRecord(value)) {
    const entries = Object.entries(value).flatMap(([name, part]) => {
      const source = toSource(part, levels - 1);
      return source === undefined ? [] : [[name, source] as const];
    });
    return entries.length === Object.keys(value).length ? { kind: 'map', entries } : undefined;
  }
  if (typeof value === 'string') return { kind: 'scalar', source: value, value, isPlain: false };
  const source = value === null || value === undefined ? '' : String(value);
  return { kind: 'scalar', source, value: value ?? null, isPlain: true };
}

const deepest = 100;
