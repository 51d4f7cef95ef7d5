import { isRecord } from '@errand/wire';
/** JSON with the keys of every object in order, so that equal values are equal texts. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isRecord(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
