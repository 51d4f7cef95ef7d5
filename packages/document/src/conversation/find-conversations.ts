import { lastIndex } from '../last-index.ts';
import { lineEnd } from '../scan/lines.ts';
import type { NoteScan } from '../scan/note-scan.ts';
import { lastLineBeforeHeading, outlineOf } from '../sections/outline.ts';

/** A message: from its role line to the next, or to the next heading; a question also ends at a rule. */
export interface Turn {
  readonly role: 'user' | 'assistant';
  /** As the role line says it: `User`, or the assistant's name as the settings write it. */
  readonly name: string;
  readonly line: number;
  readonly endLine: number;
  /** Where the role line begins. */
  readonly from: number;
  /** Where the text begins, behind the colon. */
  readonly textFrom: number;
  /** Where the last line with text ends. */
  readonly to: number;
  readonly text: string;
}

/** Turns that belong together: with no heading and no `#NewChat` between them. */
export interface Conversation {
  readonly turns: readonly Turn[];
}

/** The conversations of a note, in order. `assistants` are the names whose role lines count. */
export function findConversations(
  scan: NoteScan,
  assistants: readonly string[],
): readonly Conversation[] {
  const names = new Map(assistants.map((name) => [name.toLowerCase(), name]));
  const starts = roleLines(scan, names);
  const outline = outlineOf(scan);
  const rules = scan.rules.filter(({ within }) => within === null);
  const conversations: Conversation[] = [];
  let turns: Turn[] = [];
  let lastLine = 0;
  const end = Number.POSITIVE_INFINITY;
  for (const [index, start] of starts.entries()) {
    if (start.line > lastLine || start.name === null) {
      turns = [];
      lastLine = lastLineBeforeHeading(outline, start.line, scan);
    }
    if (start.name === null) continue;
    const next = starts[index + 1];
    // An answer may have rules of its own, which its model wrote.
    const rule =
      start.name === 'User'
        ? rules[lastIndex(rules, ({ line }) => line <= start.line) + 1]
        : undefined;
    const endLine = Math.min(lastLine, (next?.line ?? end) - 1, (rule?.line ?? end) - 1);
    turns.push(turnFrom(scan, { ...start, name: start.name }, endLine));
    if (turns.length === 1) conversations.push({ turns });
  }
  return conversations;
}

/** Identifies a conversation in its note: by its beginning, and by its number among those with the same beginning. */
export function conversationKey(
  conversation: Conversation,
  conversations: readonly Conversation[],
): string {
  const twins = conversations.filter((each) => openingOf(each) === openingOf(conversation));
  return `${twins.indexOf(conversation)} ${openingOf(conversation)}`;
}

/** What a conversation begins with. */
export function openingOf({ turns }: Conversation): string {
  return turns[0]?.text ?? '';
}

/** A line of the note that opens a turn or, without a name, a new conversation. */
interface RoleLine {
  readonly name: string | null;
  readonly line: number;
  readonly from: number;
  readonly textFrom: number;
}

const roleLine = /#([\p{L}][\p{L}\p{N}_/-]*)(?:[ \t]*[:\uFF1A][ \t]?|[ \t]*(?=[\r\n]|$))/uy;

/** Whether a line of text would be read as a role line. */
export function opensTurn(line: string, assistants: readonly string[]): boolean {
  const names = new Map(assistants.map((name) => [name.toLowerCase(), name]));
  return readRoleLine(line, 0, names) !== null;
}

function roleLines(scan: NoteScan, names: ReadonlyMap<string, string>): readonly RoleLine[] {
  const { text } = scan;
  const hidden = hiddenLines(scan);
  const found: RoleLine[] = [];
  let line = 1;
  for (let at = 0; at <= text.length; line++) {
    const from = at === 0 && text.charCodeAt(0) === 0xfeff ? 1 : at;
    const role = text.charCodeAt(from) === 35 ? readRoleLine(text, from, names) : null;
    if (role !== null && !hidden(line)) found.push({ ...role, line, from });
    const end = lineEnd(text, at);
    if (end >= text.length) break;
    at = text.startsWith('\r\n', end) ? end + 2 : end + 1;
  }
  return found;
}

function readRoleLine(
  text: string,
  from: number,
  names: ReadonlyMap<string, string>,
): Pick<RoleLine, 'name' | 'textFrom'> | null {
  roleLine.lastIndex = from;
  const match = roleLine.exec(text);
  if (match === null) return null;
  const [whole, word = ''] = match;
  const textFrom = from + whole.length;
  const key = word.toLowerCase();
  const hasColon = /[:\uFF1A]/.test(whole);
  if (!hasColon) return key === 'newchat' ? { name: null, textFrom } : null;
  const name = key === 'user' ? 'User' : names.get(key);
  return name === undefined ? null : { name, textFrom };
}

/** Whether a line is in a fence, a comment, a formula or a live result. */
function hiddenLines(scan: NoteScan): (line: number) => boolean {
  const { fences, comments, math, liveResults, frontmatter } = scan;
  const spans = [
    ...fences,
    ...comments,
    ...math,
    ...liveResults,
    ...(frontmatter ? [frontmatter] : []),
  ]
    .filter(({ line, endLine }) => endLine > line)
    .sort((a, b) => a.line - b.line);
  let next = 0;
  let until = 0;
  return (line) => {
    for (let span = spans[next]; span !== undefined && span.line <= line; span = spans[++next]) {
      until = Math.max(until, span.endLine);
    }
    return line <= until;
  };
}

function turnFrom(
  { text }: NoteScan,
  { name, line, from, textFrom }: RoleLine & { readonly name: string },
  lastLine: number,
): Turn {
  let to = textFrom;
  let endLine = line;
  let end = lineEnd(text, from);
  for (let at = line; ; at++) {
    if (text.slice(at === line ? textFrom : to, end).trim() !== '') {
      to = end;
      endLine = at;
    }
    if (at >= lastLine || end >= text.length) break;
    end = lineEnd(text, text.startsWith('\r\n', end) ? end + 2 : end + 1);
  }
  const role = name === 'User' ? 'user' : 'assistant';
  return { role, name, line, endLine, from, textFrom, to, text: text.slice(textFrom, to).trim() };
}
