const longestMs = 24 * 60 * 60 * 1000;

/** The milliseconds that a `Retry-After` header asks for, as seconds or as a date; nothing when it says nothing. */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  const milliseconds = /^\d+$/.test(text) ? Number(text) * 1000 : dateOf(text) - now;
  if (Number.isNaN(milliseconds)) return undefined;
  return Math.min(Math.max(milliseconds, 0), longestMs);
}

/** Dates of HTTP begin with the day of the week; much else would pass for a date too. */
function dateOf(text: string): number {
  return /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
}
