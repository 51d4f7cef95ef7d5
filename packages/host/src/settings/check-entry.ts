import type { z } from 'zod';
import type { ServerConfig } from '../settings.ts';
import { findStoredNameMistake } from './server-name.ts';
import { serverSchema } from './server-schema.ts';
import { issuesOf, type LocatedIssue } from './settings-problem.ts';

/** An entry with its defaults, or what is wrong with it, by its path inside the entry. */
interface CheckedEntry {
  readonly entry?: z.output<typeof serverSchema>;
  readonly problems: readonly LocatedIssue[];
}

/** Checks one entry of `mcpServers` as it would stand beside others. */
export function checkEntry(
  raw: unknown,
  others: readonly Pick<ServerConfig, 'id' | 'name'>[],
): CheckedEntry {
  const result = serverSchema.safeParse(raw);
  if (!result.success) return { problems: issuesOf(result.error) };
  const entry = result.data;
  const mistake = findStoredNameMistake(
    entry.name,
    others.map(({ name }) => name),
  );
  if (mistake !== undefined) return { problems: [{ path: ['name'], message: mistake }] };
  if (others.some(({ id }) => id === entry.id)) {
    return {
      problems: [{ path: ['id'], message: 'Another server has this id. Write another one.' }],
    };
  }
  return { entry, problems: [] };
}
