/** More levels than this are no message but an attack: much of what handles values recurses into them. */
const mostLevels = 1_000;

const quote = 0x22;
const backslash = 0x5c;

/** Whether JSON is nested so deep that it must not be handled. */
export function isNestedTooDeep(json: string): boolean {
  // Each level takes two characters, so a usual message need not be looked at.
  if (json.length <= 2 * mostLevels) return false;
  let level = 0;
  for (let index = 0; index < json.length; index += 1) {
    const character = json.charCodeAt(index);
    if (character === quote) index = endOfString(json, index + 1);
    // Brackets and braces differ in one bit: [ { and ] }.
    else if ((character | 0x20) === 0x7b) level += 1;
    else if ((character | 0x20) === 0x7d) level -= 1;
    if (level > mostLevels) return true;
  }
  return false;
}

function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end === -1 ? json.length : end;
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0;
  while (json.charCodeAt(at - 1 - backslashes) === backslash) backslashes += 1;
  return backslashes % 2 === 1;
}
