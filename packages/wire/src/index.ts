export { onAbort, raceSignal } from './abort.ts';
export type { Era } from './era.ts';
export { endOfString, jsonExcess, mostLevels, mostValues } from './json-excess.ts';
export { LineSplitter } from './line-splitter.ts';
export type { ParamHeader } from './param-headers.ts';
export { encodeHeaderValue, findParamHeaders, paramHeaders } from './param-headers.ts';
