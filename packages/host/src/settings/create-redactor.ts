import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** A function that replaces each value by its name, in every encoding of the value it knows. */
export function createRedactor(
  valuesByName: ReadonlyMap<string, string>,
): (text: string) => string {
  const names = new Map<string, string>();
  for (const [name, value] of valuesByName) {
    for (const spelling of secretSpellings(value)) names.set(spelling, name);
  }
  if (names.size === 0) return noRedaction;
  // Longest first, so that a value that contains another one is replaced as a whole.
  const alternatives = [...names.keys()].sort((a, b) => b.length - a.length).map(escapePattern);
  const pattern = new RegExp(alternatives.join('|'), 'g');
  return (text) => text.replace(pattern, (spelling) => names.get(spelling) ?? spelling);
}

/** The redactor used when there are no secrets. */
export const noRedaction = (text: string): string => text;

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** Shorter texts cannot be distinguished from ordinary ones. */
const shortest = 4;
/** A few letters in the middle of base64 would be found by chance. */
const shortestInside = 6;

/** A value as programs write it: plainly, or escaped for JSON, an address or HTML, or encoded as base64 or hex. */
function secretSpellings(value: string): ReadonlySet<string> {
  const plain = [value, value.trim()];
  const json = plain.flatMap((text) => [inJson(text), inJson(inJson(text)), inAsciiJson(text)]);
  const escaped = [...json, ...json.map(escapeSlashes), ...plain.flatMap(inHtml)];
  const addresses = plain.flatMap(inAddress);
  const encoded = plain.flatMap((text) => {
    const bytes = utf8ToBytes(text.toWellFormed());
    const hex = bytesToHex(bytes);
    return [hex, hex.toUpperCase(), ...inBase64(bytes)];
  });
  const all = [...plain, ...escaped, ...addresses, ...encoded];
  return new Set(all.filter(({ length }) => length >= shortest));
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function inAsciiJson(text: string): string {
  // As Python writes it.
  const spell = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return inJson(text).replace(/[\u0080-\uffff]/g, spell);
}

function escapeSlashes(text: string): string {
  return text.replaceAll('/', '\\/');
}

function inAddress(text: string): string[] {
  const wellFormed = text.toWellFormed();
  const component = encodeURIComponent(wellFormed);
  const form = new URLSearchParams({ '': wellFormed }).toString().slice(1);
  const lower = (address: string) => address.replace(/%../g, (byte) => byte.toLowerCase());
  const forms = [component, form, encodeURI(wellFormed)];
  return [...forms, ...forms.map(lower)];
}

/** The first three always have the same escape; quotes have several. */
function inHtml(text: string): string[] {
  const tags = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quoted = tags.replaceAll('"', '&quot;');
  const apostrophes = ['&#39;', '&#x27;', '&#039;', '&apos;'];
  return [tags, quoted, ...apostrophes.map((spelled) => quoted.replaceAll("'", spelled))];
}

/**
 * Base64 of the bytes alone, and the characters that depend only on them when other bytes surround
 * them: three bytes become four characters, so there are three alignments.
 */
function inBase64(bytes: Uint8Array): string[] {
  const whole = base64(bytes);
  const inside = [0, 1, 2].map((before) => {
    const shifted = new Uint8Array(before + bytes.length);
    shifted.set(bytes, before);
    const first = Math.ceil((before * 8) / 6);
    return base64(shifted).slice(first, Math.floor((shifted.length * 8) / 6));
  });
  const spelled = [whole, whole.replace(/=+$/, ''), ...inside];
  return spelled
    .filter(({ length }) => length >= shortestInside)
    .flatMap((text) => [
      text,
      text.replaceAll('+', '-').replaceAll('/', '_'),
      encodeURIComponent(text),
      escapeSlashes(text),
    ]);
}

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
