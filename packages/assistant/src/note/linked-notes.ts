import type { Turn } from '@errand/document';
import { HostError } from '@errand/host';
import type { MessageData } from '../turn/messages.ts';
import type { NoteHistoryPorts } from './note-history.ts';

/** Characters of linked notes that a model is given: of all together, and of each. */
const most = { together: 16_000, each: 8_000 };

/** The notes that questions link to, the newest question's first, as far as there is room. */
export async function linkedNotes(
  turns: readonly Turn[],
  path: string,
  ports: NoteHistoryPorts,
  signal: AbortSignal,
): Promise<ReadonlyMap<Turn, readonly MessageData[]>> {
  const linked = new Map<Turn, readonly MessageData[]>();
  const seen = new Set([path]);
  let room = most.together;
  for (const turn of turns.toReversed()) {
    const data: MessageData[] = [];
    if (turn.role !== 'user') continue;
    for (const target of linksIn(turn.text)) {
      const found = room > 0 ? await readLinked(target, path, ports, signal) : undefined;
      if (found === undefined || seen.has(found.path)) continue;
      seen.add(found.path);
      const size = Math.min(room, most.each);
      const isCut = found.text.length > size;
      const text = isCut ? `${found.text.slice(0, size).toWellFormed()} …` : found.text;
      room -= text.length;
      data.push({ what: `note ${found.path}`, text });
    }
    linked.set(turn, data);
  }
  return linked;
}

/** What the links in a text name: `[[Note#Part|words]]` and `[words](Note.md)`. */
function linksIn(text: string): readonly string[] {
  const targets: string[] = [];
  // Each pattern has one repetition alone: two that overlap take quadratic time for a long line.
  for (const [, inside = ''] of text.matchAll(/\[\[([^[\]\n]+)\]\]/g)) {
    const [target = ''] = inside.split(/[|#^]/, 1);
    if (target !== '') targets.push(target.trim());
  }
  for (const [, inside = ''] of text.matchAll(/\]\(([^()\n]+)\)/g)) {
    const [, target] = /^<?([^<>\s#?]+\.md)/.exec(inside) ?? [];
    if (target !== undefined) targets.push(decoded(target));
  }
  return targets;
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

async function readLinked(
  target: string,
  from: string,
  { notes, findNote }: NoteHistoryPorts,
  signal: AbortSignal,
): Promise<{ readonly path: string; readonly text: string } | undefined> {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return undefined;
  const name = /\.md$/i.test(target) ? target : `${target}.md`;
  const folder = from.slice(0, from.lastIndexOf('/') + 1);
  for (const path of new Set([join(folder, name), join('', name)])) {
    const text = await readNote(path, notes, signal);
    if (text !== undefined) return { path, text };
  }
  const path = await findNote?.(name, signal);
  const text = path === undefined ? undefined : await readNote(path, notes, signal);
  return path === undefined || text === undefined ? undefined : { path, text };
}

/** Nothing when there is no such note: a link that leads nowhere is no mistake of the conversation. */
async function readNote(
  path: string,
  notes: NoteHistoryPorts['notes'],
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    return await notes.read(path, signal);
  } catch (error) {
    if (error instanceof HostError) return undefined;
    throw error;
  }
}

/** A path below the vault, without detours. */
function join(folder: string, name: string): string {
  const parts: string[] = [];
  for (const part of `${folder}${name}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}
