import { type SourceMap, typeParams } from '@errand/document';
import { HostError } from '../host-error.ts';

/** Parameters as a tool's schema wants them, from their text; throws `invalid_params`. */
export function typedParameters(
  params: SourceMap,
  schema: unknown,
): Readonly<Record<string, unknown>> {
  const { values, problems } = typeParams(params, schema);
  const [first] = problems;
  if (first === undefined) return values;
  const message = problems.map((problem) => problem.message).join(' ');
  throw new HostError('invalid_params', message, { path: first.path, neverSent: true });
}
