export { KnownTools } from './known-tools.ts';
export { mayBeRequest } from './may-be-request.ts';
export { suggest } from './suggest.ts';
export { writeTool } from './suggest-tools.ts';
export type { Insertion, Suggestion, SuggestionContext } from './suggestion.ts';
