/** Draws lines of terminal text as an SVG that reads well on light and dark pages. */
export function terminalPicture(lines: readonly string[]): string {
  const columns = Math.max(60, ...lines.map((line) => [...line].length));
  const width = columns * characterWidth + 2 * margin;
  const height = lines.length * lineHeight + 2 * margin + titleBar;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="A terminal in which errand runs a note">`,
    `<rect width="100%" height="100%" rx="8" fill="#1e2127"/>`,
    ...['#ff5f57', '#febc2e', '#28c840'].map(
      (colour, index) => `<circle cx="${margin + index * 18}" cy="18" r="5.5" fill="${colour}"/>`,
    ),
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13">`,
    ...lines.map(
      (line, index) =>
        `<text x="${margin}" y="${titleBar + margin + index * lineHeight}" fill="${colourOf(line)}">${escapeXml(line)}</text>`,
    ),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

const characterWidth = 7.8;
const lineHeight = 19;
const margin = 18;
const titleBar = 26;

function colourOf(line: string): string {
  if (line.startsWith('$ ')) return '#98c379';
  if (/^\s*`{3,}/.test(line)) return '#61afef';
  return '#d7dae0';
}

/** Spaces become unbreakable ones: renderers of SVG fold the others. */
function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(' ', '\u00a0');
}
