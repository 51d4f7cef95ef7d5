import { isAlias, isMap, isScalar, type Pair, visit } from 'yaml';
import { isTypo } from '../is-typo.ts';
import { type FrontmatterYaml, isNothing, textOf } from './frontmatter-yaml.ts';

/** Text that looks like bindings but is not read as such, with its line. */
export interface StrayBinding {
  readonly message: string;
  readonly line: number;
}

/** Whether a text may contain bindings, allowing for one typo. */
export function mayHoldBindings(text: string): boolean {
  // A quoted key may go on behind a backslash at the end of a line.
  return /mcp|server|sections|\\\r?\n/i.test(plainLetters(text));
}

/** Whether frontmatter that cannot be parsed was meant to contain bindings. */
export function speaksOfBindings(text: string): boolean {
  const plain = plainLetters(text);
  return /mcp["']?\s*:/i.test(plain) || nestedKey.test(plain);
}

/** A text whose letters are what a person reads: without escapes of YAML, other forms and hidden characters. */
function plainLetters(text: string): string {
  return text
    .replace(yamlEscape, (written, x, u, long) => {
      const code = Number.parseInt(x ?? u ?? long, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : written;
    })
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '');
}

const nestedKey = /(?:^[ \t]+(?:-[ \t]+)*|[{,][ \t]*)["']?(?:server|sections)["']?[ \t]*:/m;

const yamlEscape = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8}))/g;

/** Bindings at the start of a note without frontmatter: a delimiter is missing, nearly one, or not the first line. */
export function unclosedBindings(text: string): StrayBinding | null {
  const head = plainLetters(text.slice(0, maximumHead).replace(/\r\n?/g, '\n'));
  const opening = /^[\s\uFEFF]*(.*)/.exec(head)?.[1]?.trim() ?? '';
  const isNearly =
    opening.startsWith('---') ||
    (opening.includes('-') && opening.length <= 5 && opening.replace(/[-\s]/g, '').length <= 1);
  if (!isNearly) return displacedBindings(text, 0);
  // What comes behind the first fence is the note's own text.
  const properties = head.slice(0, /^ {0,3}(?:```|~~~)/m.exec(head)?.index);
  if (!/^[^\w\n]*mcp["']?[ \t]*:/im.test(properties) && !nestedKey.test(properties)) return null;
  const message =
    'This looks like frontmatter with bindings, but it cannot be read. Write --- alone on the first line of the note, and again alone on the line below the frontmatter.';
  return { message, line: 1 };
}

/** Bindings in lines before or behind the frontmatter that end like frontmatter; `from` is where it ends. */
export function displacedBindings(text: string, from: number): StrayBinding | null {
  const head = plainLetters(text.slice(from, from + maximumHead).replace(/\r\n?/g, '\n'));
  const lines = head.slice(0, /^ {0,3}(?:```|~~~)/m.exec(head)?.index);
  const end = [...lines.matchAll(/^(?:-{3,}|\.{3})[ \t]*$/gm)].at(-1)?.index ?? 0;
  if (!wholeBinding.test(lines.slice(0, end))) return null;
  const message =
    'These lines look like bindings, but bindings are read from the frontmatter only. Move them there, between --- alone on the first line of the note and the next ---, or put them in a code block.';
  return { message, line: 1 };
}

const wholeBinding =
  /^[ \t{"']{0,9}mcp["']?[ \t]{0,9}:(?:[ \t]{0,9}#.*)?[\s{["'-]{0,99}(?:server|sections)["']?[ \t]{0,9}:/im;

const maximumHead = 64 * 1024;

/** Bindings where none are read: under a misspelled key, below another key, or beside `mcp`. */
export function strayBindings(yaml: FrontmatterYaml, body: string): StrayBinding | null {
  const { mcp, lineAt } = yaml;
  const misspelt = misspeltKey(yaml);
  if (misspelt !== null) return misspelt;
  if (!isNothing(mcp)) return null;
  const others = keysOfOthers(yaml);
  for (const { at, isComment } of nearBindings(body)) {
    if (isComment || others.some(([from, to]) => from <= at && at <= to)) continue;
    const message =
      'This looks like bindings, but they cannot be read. Write "mcp:" at the start of a line, and "server" or "sections" indented below it.';
    return { message, line: lineAt(at) };
  }
  return null;
}

/** A key that reads `mcp` and is written otherwise: in other letters, or as an alias of a text elsewhere. */
function misspeltKey({ document, lineAt }: FrontmatterYaml): StrayBinding | null {
  const { contents } = document;
  const isMcp = (text: string) => plainLetters(text).toLowerCase() === 'mcp';
  const anchors = new Set<string | undefined>();
  visit(document, {
    Scalar: (_, node) => void (node.anchor && isMcp(textOf(node)) && anchors.add(node.anchor)),
  });
  for (const { key } of isMap(contents) ? contents.items : []) {
    const written = isAlias(key) ? `*${key.source}` : textOf(key);
    if (isAlias(key) ? !anchors.has(key.source) : written === 'mcp' || !isMcp(written)) continue;
    const line = lineAt(isAlias(key) || isScalar(key) ? (key.range?.[0] ?? 0) : 0);
    return { message: `"${written}" must be written "mcp", in plain small letters.`, line };
  }
  return null;
}

/** Bindings that are commented out: they have no effect, which must be reported. */
export function commentedBindings(yaml: FrontmatterYaml, body: string): readonly StrayBinding[] {
  const near = nearBindings(body).filter(({ isComment }) => isComment);
  const entries = yaml.mcp === undefined ? [] : commentedEntries(body);
  const lines = new Set([...near.map(({ at }) => at), ...entries].map((at) => yaml.lineAt(at)));
  const message = 'A binding is commented out here and has no effect.';
  return [...lines].map((line) => ({ message, line }));
}

function commentedEntries(body: string): readonly number[] {
  return [...body.matchAll(/^[ \t]*#[#{["' \t-]*([^:\n]{0,12}?)["']?[ \t]{0,8}:/gm)].flatMap(
    ({ index, 1: key = '' }) => (bindingKeys.some((each) => isTypo(key, each)) ? [index] : []),
  );
}

const bindingKeys = ['mcp', 'server', 'sections', 'heading', 'block', 'lines'];

/** Where `server` or `sections` directly follows `mcp:`, allowing for one typo. */
function nearBindings(body: string) {
  const found: { readonly at: number; readonly isComment: boolean }[] = [];
  for (const { index } of body.matchAll(/(?:server|sections)["']?[ \t]*:/g)) {
    // Enough for any indentation, and little enough for a file made of nothing else.
    const start = Math.max(0, index - 100);
    const above = body.slice(start, index);
    const before = above.replace(/[\s#{["'-]+$/, '');
    const line = above.slice(above.lastIndexOf('\n') + 1);
    const length = [4, 3, 5].find((each) => isNear(before, each, line));
    if (length === undefined) continue;
    found.push({ at: start + before.length - length, isComment: /(?:^|\s)#/.test(line) });
  }
  return found;
}

function isNear(before: string, length: number, line: string): boolean {
  const word = before.slice(-length);
  if (word.length < length || !isTypo(word, 'mcp:')) return false;
  // Without its colon it is a key only together with what follows: "- mcp" is a tag.
  if (!word.includes(':')) return /^[^\w\n]*\S+[^\w\n]*$/.test(line);
  // "dhcp:" is another word, but "xmcp:" is what is left of a line break before "mcp:".
  return word.toLowerCase() === 'mcp:' || !/\w/.test(before.at(-length - 1) ?? '');
}

/** The keys that are only nearly `mcp` and hold something else than bindings. */
function keysOfOthers({ document }: FrontmatterYaml): readonly (readonly [number, number])[] {
  const found: (readonly [number, number])[] = [];
  visit(document, {
    Pair(_, { key, value }: Pair) {
      if (!isMap(value)) return;
      const isOther = value.items.some(
        (pair) => !['server', 'sections'].includes(textOf(pair.key)),
      );
      if (isOther && isScalar(key) && key.range) found.push([key.range[0], key.range[1]]);
    },
  });
  return found;
}
