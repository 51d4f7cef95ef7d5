/**
 * Whether the line from `from` to `to` is one complete opening or closing tag and then only white space.
 * All readings are followed at once, one bit each, so that no input makes it slow: an unquoted value may
 * end at a no-break space or contain it, and only what comes later decides.
 */
export function isCompleteTagLine(text: string, from: number, to: number): boolean {
  let states = from + 1 < to && text[from + 1] === '/' ? closingSlash : opened;
  for (let at = from + 1; at < to && states !== 0; at++) {
    states = step(states, text.charCodeAt(at));
  }
  return (states & done) !== 0;
}

const opened = 1 << 0;
const closingSlash = 1 << 1;
const closingOpened = 1 << 2;
const closingName = 1 << 3;
const closingSpace = 1 << 4;
const name = 1 << 5;
const gap = 1 << 6;
const attribute = 1 << 7;
const attributeGap = 1 << 8;
const equals = 1 << 9;
const unquoted = 1 << 10;
const single = 1 << 11;
const double = 1 << 12;
const quotedEnd = 1 << 13;
const selfClosing = 1 << 14;
const done = 1 << 15;

function step(states: number, code: number): number {
  const isSpace = isWhiteSpace(code);
  let next = 0;
  if (states & opened && isLetter(code)) next |= name;
  if (states & closingSlash && code === 47) next |= closingOpened;
  if (states & closingOpened && isLetter(code)) next |= closingName;
  if (states & closingName && isNameCharacter(code)) next |= closingName;
  if (states & (closingName | closingSpace)) {
    if (isSpace) next |= closingSpace;
    if (code === 62) next |= done;
  }
  if (states & name && isNameCharacter(code)) next |= name;
  if (states & (name | gap | attribute | attributeGap | unquoted | quotedEnd)) {
    if (code === 47) next |= selfClosing;
    if (code === 62) next |= done;
  }
  if (states & (name | gap | unquoted | quotedEnd) && isSpace) next |= gap;
  if (states & (gap | attributeGap) && isAttributeStart(code)) next |= attribute;
  if (states & attribute && isAttributeCharacter(code)) next |= attribute;
  if (states & (attribute | attributeGap)) {
    if (isSpace) next |= attributeGap;
    if (code === 61) next |= equals;
  }
  if (states & equals) {
    if (isSpace) next |= equals;
    if (code === 39) next |= single;
    if (code === 34) next |= double;
  }
  if (states & (equals | unquoted) && isUnquoted(code)) next |= unquoted;
  if (states & single) next |= code === 39 ? quotedEnd : single;
  if (states & double) next |= code === 34 ? quotedEnd : double;
  if (states & selfClosing && code === 62) next |= done;
  if (states & done && isSpace) next |= done;
  return next;
}

function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

function isNameCharacter(code: number): boolean {
  return isLetter(code) || (code >= 48 && code <= 57) || code === 45;
}

function isAttributeStart(code: number): boolean {
  return isLetter(code) || code === 95 || code === 58;
}

function isAttributeCharacter(code: number): boolean {
  return isNameCharacter(code) || code === 58 || code === 46 || code === 95;
}

function isUnquoted(code: number): boolean {
  // CommonMark reads NUL as U+FFFD, which an unquoted value may contain.
  if (code <= 32) return code === 0;
  return code !== 34 && code !== 39 && code !== 61 && code !== 60 && code !== 62 && code !== 96;
}

/** The characters that `\s` matches. */
function isWhiteSpace(code: number): boolean {
  if (code < 128) return code === 32 || (code >= 9 && code <= 13);
  return (
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000 ||
    code === 0xfeff
  );
}
