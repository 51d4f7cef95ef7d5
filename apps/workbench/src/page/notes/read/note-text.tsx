import { blockOfCall } from '@errand/workspace/activity';
import { useCallback, useEffect, useMemo, useRef } from 'preact/hooks';
import type { Note } from '../../../contract.ts';
import { useWorkbench, WorkbenchContext } from '../../model/use-workbench.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { BlockCard } from '../card/block-card.tsx';
import type { OpenNote } from '../model/open-note.ts';
import { useElementCache } from '../model/use-element-cache.ts';
import { NotesContext, useNotes } from '../model/use-notes.ts';
import { maskLines } from './mask-lines.ts';
import { noteAddresses } from './note-addresses.ts';
import './note-text.css';
import { Properties } from './properties.tsx';
import { markOf, Prose } from './prose.tsx';
import { type NotePart, renderNote } from './render-note.ts';

export interface NoteTextProps {
  readonly opened: OpenNote;
  readonly note: Note;
  /** The line, call or heading that the address asks for. */
  readonly target: Readonly<Record<string, string>>;
}

/** A rendered note, with each of its blocks as a card. */
export function NoteText({ opened, note, target }: NoteTextProps) {
  const workbench = useWorkbench();
  const notes = useNotes();
  const list = notes.list.value?.notes ?? noNotes;
  const { path, text, blocks } = note;
  const addresses = useMemo(() => noteAddresses(path, list), [path, list]);
  const { parts, frontmatter } = useMemo(() => {
    const masked = maskLines(text, blocks);
    return { ...masked, parts: renderNote(masked.text, blocks, markOf) };
  }, [text, blocks]);
  const card = useCallback(
    (key: string) => <BlockCard key={key} opened={opened} blockKey={key} addresses={addresses} />,
    [opened, addresses],
  );
  // A card inside prose is a separate render root, so it needs its own providers.
  const renderBlock = useCallback(
    (key: string) => (
      <WorkbenchContext.Provider value={workbench}>
        <NotesContext.Provider value={notes}>{card(key)}</NotesContext.Provider>
      </WorkbenchContext.Provider>
    ),
    [workbench, notes, card],
  );
  const keep = useElementCache(card, renderBlock, addresses);
  const element = useRef<HTMLElement>(null);
  const { line, server, tool, heading } = target;
  useEffect(() => {
    const { current } = element;
    if (current === null) return;
    const place =
      heading === undefined
        ? findLine(current, parts, lineOf(blocks, target))
        : findHeading(current, heading);
    place?.scrollIntoView({ block: 'start' });
  }, [path, line, server, tool, heading]);
  return (
    <article ref={element} class="note-text" aria-label={path}>
      <Properties lines={frontmatter} />
      {keyed(parts).map(({ part, key }) =>
        keep(key, () =>
          part.kind === 'block' ? (
            <div key={key} class="block-place">
              {card(part.key)}
            </div>
          ) : (
            <Prose key={key} html={part.html} addresses={addresses} renderBlock={renderBlock} />
          ),
        ),
      )}
      {parts.length === 0 && (
        <EmptyState icon="notes" title="This note is empty">
          <p>Switch to Source to write something.</p>
        </EmptyState>
      )}
    </article>
  );
}

const noNotes: readonly string[] = [];

/** Keys by content, so that a piece that only moved is not rendered again. */
function keyed(parts: readonly NotePart[]): readonly { part: NotePart; key: string }[] {
  const seen = new Map<string, number>();
  return parts.map((part) => {
    const content = part.kind === 'block' ? part.key : part.html;
    const count = (seen.get(content) ?? 0) + 1;
    seen.set(content, count);
    return { part, key: `${part.kind} ${count} ${content}` };
  });
}

/** The line that the address asks for: that of a call is where its block stands now. */
function lineOf(blocks: Note['blocks'], target: NoteTextProps['target']): number {
  const { server, tool } = target;
  const line = Number(target.line);
  if (server === undefined || tool === undefined) return line;
  return blockOfCall(blocks, { line, server, tool })?.line ?? line;
}

function findHeading(element: HTMLElement, heading: string): Element | undefined {
  const wanted = plain(heading);
  const headings = element.querySelectorAll('h1, h2, h3, h4, h5, h6');
  return [...headings].find(({ textContent }) => plain(textContent ?? '') === wanted);
}

/** The last piece that begins at a line or before. */
function findLine(
  element: HTMLElement,
  parts: readonly NotePart[],
  line: number,
): Element | undefined {
  const index = parts.findLastIndex((part) => part.line <= line);
  return [...element.querySelectorAll(':scope > :is(.prose, .block-place)')][index];
}

/** Normalizes a heading for comparison with link targets. */
function plain(heading: string): string {
  return heading.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
