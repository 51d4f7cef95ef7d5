import { nearestName } from '@errand/document';
import { isRecord } from '@errand/wire';
import type { ParameterMapping } from './mcp-contract.ts';

/** A mapping that a person may take; it is never used unseen. */
export interface ProposedMapping extends ParameterMapping {
  /** Whether the names are the same apart from case, `-` and `_`. */
  readonly isExact: boolean;
}

/** Proposes for each parameter of a tool the context field whose name is the same, means the same, or is nearest. */
export function proposeMappings(
  inputSchema: unknown,
  fieldNames: Iterable<string>,
): readonly ProposedMapping[] {
  if (!isRecord(inputSchema) || !isRecord(inputSchema.properties)) return [];
  const fields = [...fieldNames];
  return Object.keys(inputSchema.properties).flatMap((toolParam) => {
    const value = fieldFor(toolParam, fields);
    if (value === undefined) return [];
    const isExact = plain(value) === plain(toolParam);
    return [{ toolParam, source: 'context', value, isExact } as const];
  });
}

function fieldFor(parameter: string, fields: readonly string[]): string | undefined {
  const wanted = plain(parameter);
  const known = meanings.get(wanted) ?? [];
  const lastName = (field: string) => field.split('.').at(-1) ?? field;
  const short = new Map(fields.map((field) => [lastName(field), field]));
  return (
    fields.find((field) => plain(field) === wanted) ??
    fields.find((field) => plain(lastName(field)) === wanted) ??
    known.find((field) => fields.includes(field)) ??
    nearestName(parameter, fields) ??
    short.get(nearestName(parameter, short.keys()) ?? '')
  );
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** What tools call the common fields. */
const meanings: ReadonlyMap<string, readonly string[]> = new Map([
  ['author', ['user']],
  ['username', ['user']],
  ['owner', ['repoOwner']],
  ['repo', ['repoName']],
  ['repository', ['repoName']],
  ['ref', ['branch']],
  ['path', ['filePath', 'file.path']],
  ['file', ['filePath', 'file.path']],
  ['filename', ['fileName']],
  ['cwd', ['workspacePath']],
  ['date', ['timestamp']],
  ['time', ['timestamp']],
]);
