/** The value of `<input type="datetime-local">` for a `date-time`, in the browser's time zone; undefined if it is invalid. */
export function toLocalTime(moment: string): string | undefined {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime()) || date.getFullYear() > 9_999 || date.getFullYear() < 1) {
    return undefined;
  }
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}

/** The `date-time` of JSON Schema for the value of such an input. */
export function fromLocalTime(local: string): string | undefined {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().replace('.000Z', 'Z');
}
