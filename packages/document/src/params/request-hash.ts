import { shortHash } from '../hash.ts';
import type { SourceMap, SourceValue } from './source-value.ts';

/** The `req` of a result: what was asked of whom, as written, before any typing. */
export function requestHash(server: string, tool: string, params: SourceMap): string {
  return shortHash(canonicalJson({ params: sources(params), server, tool }));
}

function sources(value: SourceValue): unknown {
  switch (value.kind) {
    case 'scalar':
      return value.source;
    case 'list':
      return value.items.map(sources);
    case 'map':
      return Object.fromEntries(value.entries.map(([name, entry]) => [name, sources(entry)]));
  }
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${members.map(([name, entry]) => `${JSON.stringify(name)}:${canonicalJson(entry)}`).join(',')}}`;
}
