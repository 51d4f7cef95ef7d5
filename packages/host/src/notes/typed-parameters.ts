import { nearestName, type SourceMap, typeParams } from '@errand/document';
import { isRecord } from '@errand/wire';
import { HostError } from '../host-error.ts';

/** Parameters as a tool's schema wants them, from their text; throws `invalid_params`. */
export function typedParameters(
  params: SourceMap,
  schema: unknown,
): Readonly<Record<string, unknown>> {
  const { values, problems } = typeParams(params, schema);
  const mistakes: readonly ParameterMistake[] = [...misspelled(params, schema), ...problems];
  const [first] = mistakes;
  if (first === undefined) return values;
  const message = mistakes.map((mistake) => mistake.message).join(' ');
  throw new HostError('invalid_params', message, { path: first.path, neverSent: true });
}

/**
 * Names that are nearly those of parameters that were not given. A schema that does not mention other names allows
 * them, and most servers then ignore a parameter that the author believes to be set.
 */
function misspelled(params: SourceMap, schema: unknown): readonly ParameterMistake[] {
  if (!isRecord(schema) || !isRecord(schema['properties'])) return [];
  if (schema['additionalProperties'] !== undefined || 'patternProperties' in schema) return [];
  const given = new Set(params.entries.map(([name]) => name));
  const known = Object.keys(schema['properties']);
  const free = known.filter((name) => !given.has(name));
  return [...given].flatMap((name) => {
    const meant = known.includes(name) ? undefined : nearestName(name, free);
    if (meant === undefined) return [];
    const message = `The tool has no parameter "${name}". Did you mean "${meant}"?`;
    return [{ path: name, message }];
  });
}

interface ParameterMistake {
  readonly path: string;
  readonly message: string;
}
