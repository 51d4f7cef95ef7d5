/** A moment as `<input type="datetime-local">` has it, in this browser's time zone; undefined when it is none. */
export function toLocalTime(moment: string): string | undefined {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime()) || date.getFullYear() > 9_999 || date.getFullYear() < 1) {
    return undefined;
  }
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}

/** The moment that such a control names, as JSON Schema's `date-time` wants it. */
export function fromLocalTime(local: string): string | undefined {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().replace('.000Z', 'Z');
}
