/** The level of the ATX heading that begins at `from`, 0 for none. */
export function headingLevel(text: string, from: number, end: number): number {
  const at = runEnd(text, from, Math.min(end, from + 7), 35);
  const level = at - from;
  if (level === 0 || level > 6) return 0;
  return at === end || text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9 ? level : 0;
}

/** The text of an ATX heading, given where it begins after the marker: without a closing run of `#`. */
export function headingContent(text: string, from: number, end: number): string {
  const to = trimmedEnd(text, from, end);
  let run = to;
  while (run > from && text.charCodeAt(run - 1) === 35) run--;
  const isClosing = run < to && (run === from || isSpace(text.charCodeAt(run - 1)));
  return text.slice(from, isClosing ? trimmedEnd(text, from, run) : to).trimStart();
}

/** The length of the code fence that opens at `from`, 0 for none. */
export function fenceLength(text: string, from: number, end: number): number {
  const marker = text.charCodeAt(from);
  const at = runEnd(text, from, end, marker);
  if (at - from < 3) return 0;
  if (marker === 96) {
    const tick = text.indexOf('`', at);
    // The reference's pattern stops at the two Unicode separators; so do we, to agree always.
    if (tick >= 0 && tick < end && !/[\u2028\u2029]/.test(text.slice(at, tick))) return 0;
  }
  return at - from;
}

/** Whether a fence of that marker and length closes at `from`. */
export function closesFence(
  text: string,
  from: number,
  end: number,
  marker: number,
  length: number,
): boolean {
  if (text.charCodeAt(from) !== marker) return false;
  const at = runEnd(text, from, end, marker);
  return at - from >= length && isBlank(text, at, end);
}

/** The level of the setext underline that begins at `from`, 0 for none. */
export function underlineLevel(text: string, from: number, end: number): number {
  const code = text.charCodeAt(from);
  if (code !== 61 && code !== 45) return 0;
  if (!isBlank(text, runEnd(text, from, end, code), end)) return 0;
  return code === 61 ? 1 : 2;
}

export function isBlank(text: string, from: number, end: number): boolean {
  return trimmedEnd(text, from, end) === from;
}

function trimmedEnd(text: string, from: number, end: number): number {
  let to = end;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--;
  return to;
}

function isSpace(code: number): boolean {
  return code === 32 || code === 9;
}

function runEnd(text: string, from: number, end: number, code: number): number {
  let at = from;
  while (at < end && text.charCodeAt(at) === code) at++;
  return at;
}
