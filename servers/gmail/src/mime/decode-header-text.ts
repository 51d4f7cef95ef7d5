/**
 * Decodes the encoded words (RFC 2047) of a header. Mailers split words anywhere, also within a character
 * and within a group of base64, so the bytes of neighbouring words are joined before they are decoded. `clean` gets
 * what was encoded.
 */
export function decodeHeaderText(
  value: string,
  clean: (decoded: string) => string = (decoded) => decoded,
): string {
  let text = '';
  let end = 0;
  let run: { readonly charset: string; readonly bytes: Uint8Array[] } | undefined;
  const flush = () => {
    if (run !== undefined) text += clean(decodeBytes(Buffer.concat(run.bytes), run.charset));
    run = undefined;
  };
  for (const word of value.matchAll(encodedWord)) {
    const [whole, label = '', encoding = '', content = ''] = word;
    const between = value.slice(end, word.index);
    const charset = label.replace(/\*.*$/, '').toLowerCase();
    // White space between two encoded words is folding, not text.
    const isNeighbour = run !== undefined && /^[ \t\r\n]*$/.test(between);
    if (!isNeighbour || run?.charset !== charset) flush();
    if (!isNeighbour) text += between;
    run ??= { charset, bytes: [] };
    run.bytes.push(
      encoding.toLowerCase() === 'b' ? Buffer.from(content, 'base64') : fromQ(content),
    );
    end = word.index + whole.length;
  }
  flush();
  return text + value.slice(end);
}

/** Decodes text by the label it came with; unknown labels are read as UTF-8, or else as windows-1252. */
function decodeBytes(bytes: Uint8Array, label: string): string {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return decodeUtf8(bytes) ?? new TextDecoder('windows-1252').decode(bytes);
  }
}

/**
 * Mends UTF-8 that was sent under another label, which shows as `Ã©` for `é`. Text that would not be valid UTF-8
 * as a whole is left alone.
 */
export function mendMislabelled(text: string): string {
  if (!/[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u2122]/.test(text)) return text;
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const byte = unit < 0x80 ? unit : byteOf.get(text[at] ?? '');
    if (byte === undefined) return text;
    bytes[at] = byte;
  }
  return decodeUtf8(bytes) ?? text;
}

const encodedWord = /=\?([^?\s]{1,60})\?([bq])\?([^?]*)\?=/gi;

const highBytes = Uint8Array.from({ length: 128 }, (_, index) => index + 128);
const byteOf: ReadonlyMap<string, number> = new Map(
  [...new TextDecoder('windows-1252').decode(highBytes)].map((letter, index) => [
    letter,
    index + 128,
  ]),
);

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function fromQ(content: string): Uint8Array {
  const text = content
    .replaceAll('_', ' ')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(text, 'latin1');
}

/** Text without characters that steer terminals and editors; tabs and line ends stay. */
export function withoutControls(text: string): string {
  return text.replace(controls, '');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to remove.
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
