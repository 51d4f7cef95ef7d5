/** How many levels of JSON from outside are taken. What prints values as YAML runs out of stack at about 600. */
export const maxLevels = 200;

/** How many values one JSON text from outside may hold: an empty object of three bytes takes fifty in memory. */
export const maxValues = 2_000_000;

const quote = 0x22;
const comma = 0x2c;
const openingBracket = 0x5b;
const backslash = 0x5c;
const closingBracket = 0x5d;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

/** Characters of a string that are looked at one by one before the next quote is searched for. */
const nearby = 64;

/**
 * Says which bound a JSON text passes, before it is parsed: parsing is what takes the memory, and whatever
 * walks a value later has a stack that ends. Looks at each character once, and at none of a short text.
 */
export function jsonExcess(text: string): 'levels' | 'values' | undefined {
  // Each level takes two characters.
  if (text.length <= 2 * maxLevels) return undefined;
  let levels = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at + 1);
        break;
      case comma:
        values += 1;
        break;
      case openingBracket:
      case openingBrace:
        values += 1;
        levels += 1;
        if (levels > maxLevels) return 'levels';
        break;
      case closingBracket:
      case closingBrace:
        levels -= 1;
        break;
    }
    if (values > maxValues) return 'values';
  }
  return undefined;
}

/** Where a JSON string, whose first character is at `start`, has its closing quote. */
export function endOfString(text: string, start: number): number {
  let at = start;
  for (;;) {
    for (const far = at + nearby; at < far; at += 1) {
      const code = text.charCodeAt(at);
      if (code === quote) return at;
      if (code === backslash) at += 1;
    }
    const next = text.indexOf('"', at);
    if (next === -1) return text.length;
    let first = next;
    while (first > at && text.charCodeAt(first - 1) === backslash) first -= 1;
    if ((next - first) % 2 === 0) return next;
    at = next + 1;
  }
}
