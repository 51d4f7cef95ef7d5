import type { ResultType } from './result-block.ts';

/**
 * A payload for a fence. Even there some programs look for their own: a template's start is broken (in JSON by an
 * escape that means the same), and so is a query that comes first.
 */
export function inertText(payload: string, type: ResultType): string {
  return payload
    .replace(/<(?=%)/g, type === 'json' ? '\\u003c' : '< ')
    .replace(/^\s*(?=\$?=)/, '$&\\');
}
