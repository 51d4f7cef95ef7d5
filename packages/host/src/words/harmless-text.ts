/**
 * A stranger's text for a person who decides by it. A control character in it could turn its words around or
 * hide a line, and retitle the window of a terminal, so each is made visible instead; tabs and line ends stay.
 */
export function harmlessText(text: string): string {
  return text.replace(/(?![\t\n]|\r\n)[\p{Cc}\p{Bidi_Control}]/gu, visible);
}

/** Unicode has a picture for each of the old control characters. */
function visible(control: string): string {
  const code = control.charCodeAt(0);
  if (code === 0x7f) return '\u2421';
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd';
}
