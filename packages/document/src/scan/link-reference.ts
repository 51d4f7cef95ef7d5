/**
 * Where the link reference definition at `start` ends (after its line end), or -1 if there is none.
 * A paragraph of nothing but definitions cannot become a setext heading, so the block phase must know.
 * `content` is a paragraph whose lines all end in a line feed.
 */
export function linkReferenceEnd(content: string, start: number): number {
  const label = labelEnd(content, start);
  if (label < 0 || content.charCodeAt(label) !== colon) return -1;
  const destination = destinationEnd(content, skipSpacesAndOneLineEnd(content, label + 1));
  if (destination < 0) return -1;

  const beforeTitle = skipSpacesAndOneLineEnd(content, destination);
  const title = beforeTitle === destination ? -1 : titleEnd(content, beforeTitle);
  const withTitle = title < 0 ? -1 : lineEnd(content, title);
  return withTitle >= 0 ? withTitle : lineEnd(content, destination);
}

const lineFeed = 10;
const space = 32;
const openParenthesis = 40;
const closeParenthesis = 41;
const colon = 58;
const lessThan = 60;
const greaterThan = 62;
const openBracket = 91;
const backslash = 92;
const closeBracket = 93;

function labelEnd(content: string, start: number): number {
  if (content.charCodeAt(start) !== openBracket) return -1;
  let at = start + 1;
  for (let count = 0; count < 1000; count++) {
    const code = content.charCodeAt(at);
    if (code === closeBracket || code === openBracket || Number.isNaN(code)) break;
    if (code === backslash && at + 1 >= content.length) return -1;
    at += code === backslash ? 2 : 1;
  }
  if (content.charCodeAt(at) !== closeBracket || at + 1 - start > 1001) return -1;
  return content.slice(start + 1, at).trim() === '' ? -1 : at + 1;
}

function destinationEnd(content: string, start: number): number {
  return content.charCodeAt(start) === lessThan
    ? bracketedDestinationEnd(content, start + 1)
    : plainDestinationEnd(content, start);
}

function bracketedDestinationEnd(content: string, start: number): number {
  for (let at = start; at < content.length; at++) {
    const code = content.charCodeAt(at);
    if (code === greaterThan) return at + 1;
    if (code === lessThan || code === lineFeed) return -1;
    if (code === backslash && isLineBreak(content.charCodeAt(++at))) return -1;
  }
  return -1;
}

function plainDestinationEnd(content: string, start: number): number {
  let depth = 0;
  let at = start;
  for (; at < content.length; at++) {
    const code = content.charCodeAt(at);
    if (code === backslash && isPunctuation(content.charCodeAt(at + 1))) at++;
    else if (code === openParenthesis) depth++;
    else if (code === closeParenthesis && --depth < 0) break;
    else if (code === space || (code >= 9 && code <= 13)) break;
  }
  if (depth > 0) return -1;
  // An unmatched closing parenthesis ends an empty destination, which is then allowed.
  return at === start && depth === 0 ? -1 : at;
}

function titleEnd(content: string, start: number): number {
  const open = content[start];
  if (open !== '"' && open !== "'" && open !== '(') return -1;
  const close = (open === '(' ? ')' : open).charCodeAt(0);
  for (let at = start + 1; at < content.length; at++) {
    const code = content.charCodeAt(at);
    if (code === close) return at + 1;
    if (code === openParenthesis && open === '(') return -1;
    if (code === backslash) at++;
  }
  return -1;
}

function lineEnd(content: string, start: number): number {
  const at = skipSpaces(content, start);
  if (at === content.length) return at;
  return content.charCodeAt(at) === lineFeed ? at + 1 : -1;
}

function skipSpacesAndOneLineEnd(content: string, start: number): number {
  const at = skipSpaces(content, start);
  return content.charCodeAt(at) === lineFeed ? skipSpaces(content, at + 1) : at;
}

function skipSpaces(content: string, start: number): number {
  let at = start;
  while (content.charCodeAt(at) === space) at++;
  return at;
}

/** The characters that `.` in a regular expression does not match, as the reference uses it. */
function isLineBreak(code: number): boolean {
  return Number.isNaN(code) || code === 10 || code === 13 || code === 0x2028 || code === 0x2029;
}

function isPunctuation(code: number): boolean {
  return (
    (code >= 33 && code <= 47) ||
    (code >= 58 && code <= 64) ||
    (code >= 91 && code <= 96) ||
    (code >= 123 && code <= 126)
  );
}
