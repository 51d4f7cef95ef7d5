import type { ResultType } from './result-block.ts';

/**
 * A payload for a fence. Some programs act on text even there: the start of a template is broken (in JSON by an
 * escape that means the same), and so is a query that comes first.
 */
export function inertText(payload: string, type: ResultType): string {
  return payload
    .replace(/<(?=%)/g, type === 'json' ? '\\u003c' : '< ')
    .replace(/^\s*(?=\$?=)/, '$&\\');
}
