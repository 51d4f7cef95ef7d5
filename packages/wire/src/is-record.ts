/** An object of unknown contents, such as one parsed from JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is an object with members: neither null nor an array. */
export function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
