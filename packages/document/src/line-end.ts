export type LineEnd = '\n' | '\r\n' | '\r';

/** The line end that a text uses most; LF when it has none. */
export function dominantLineEnd(text: string): LineEnd {
  if (!text.includes('\r')) return '\n';
  let pairs = 0;
  let returns = 0;
  for (let at = text.indexOf('\r'); at >= 0; at = text.indexOf('\r', at + 1)) {
    if (text.charCodeAt(at + 1) === 10) pairs++;
    else returns++;
  }
  let feeds = -pairs;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) feeds++;
  if (pairs >= feeds && pairs >= returns) return '\r\n';
  return returns > feeds ? '\r' : '\n';
}
