import { Icon } from '@errand/parts/controls';
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { goTo, hrefTo } from '../../model/route.ts';
import { useNotes } from '../model/use-notes.ts';
import './note-tree.css';
import { moveInTree } from './move-in-tree.ts';
import { asTree, foldersOf, type TreeRow, treeRows } from './tree-rows.ts';
import { useWindow } from './use-window.ts';

/** Up to this number of notes, all folders are expanded at first. */
const smallVault = 40;

/** The tree of notes, virtualized so that large vaults open quickly. */
export function NoteTree({ notes, shown }: { readonly notes: readonly string[]; shown: string }) {
  const { unfolded } = useNotes();
  const tree = useMemo(() => asTree(notes), [notes]);
  const open = unfolded.value ?? unfoldedAtFirst(notes);
  const rows = useMemo(() => treeRows(tree, open), [tree, open]);
  const [active, setActive] = useState(shown);
  const { element, first, last, rowHeight, reveal } = useWindow<HTMLDivElement>(rows.length);
  const rowsRef = useRef(rows);
  rowsRef.current = rows;
  const id = useId();

  // Reveal the open note in the tree, however it was opened.
  useEffect(() => {
    if (shown === '') return;
    setActive(shown);
    const missing = foldersOf(shown).filter((path) => !open.has(path));
    if (missing.length > 0) unfolded.value = new Set([...open, ...missing]);
    requestAnimationFrame(() => reveal(rowsRef.current.findIndex(({ path }) => path === shown)));
  }, [shown]);

  const activeIndex = Math.max(
    0,
    rows.findIndex(({ path }) => path === active),
  );
  const fold = ({ path, isOpen }: TreeRow) => {
    const next = new Set(open);
    if (isOpen) next.delete(path);
    else next.add(path);
    unfolded.value = next;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const move = moveInTree(event.key, rows, activeIndex);
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (move.fold !== undefined) fold(move.fold);
    if (move.open !== undefined) goTo('notes', move.open);
    if (move.to !== undefined) {
      setActive(rows[move.to]?.path ?? '');
      reveal(move.to);
    }
  };
  return (
    <div
      ref={element}
      class="note-tree"
      role="tree"
      aria-label="Notes"
      tabIndex={0}
      aria-activedescendant={rows.length > 0 ? `${id}-${activeIndex}` : undefined}
      onKeyDown={onKeyDown}
      onClick={({ target }) => {
        const row = rows[rowAt(target)];
        if (row === undefined) return;
        setActive(row.path);
        if (row.kind === 'folder') fold(row);
      }}
    >
      <Spacer rows={first} height={rowHeight} />
      {rows.slice(first, last).map((row, offset) => (
        <Row
          key={row.path}
          id={`${id}-${first + offset}`}
          row={row}
          isActive={first + offset === activeIndex}
          isShown={row.kind === 'note' && row.path === shown}
        />
      ))}
      <Spacer rows={rows.length - last} height={rowHeight} />
    </div>
  );
}

interface RowProps {
  readonly id: string;
  readonly row: TreeRow;
  readonly isActive: boolean;
  readonly isShown: boolean;
}

function Row({ id, row, isActive, isShown }: RowProps) {
  const { kind, path, name, depth, isOpen, position, siblings } = row;
  const element = useRef<HTMLAnchorElement>(null);
  useEffect(() => element.current?.style.setProperty('--depth', String(depth - 1)), [depth]);
  return (
    <a
      ref={element}
      id={id}
      class={`tree-row${isActive ? ' is-active' : ''}`}
      role="treeitem"
      tabIndex={-1}
      title={path}
      {...(kind === 'note' && { href: hrefTo('notes', path) })}
      aria-level={depth}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={kind === 'folder' ? isOpen : undefined}
      aria-selected={isShown}
      aria-current={isShown ? 'page' : undefined}
    >
      <Icon name={kind === 'note' ? 'file' : isOpen ? 'down' : 'forward'} />
      <span class="tree-name">{name}</span>
    </a>
  );
}

/** The number of the row that was clicked. */
function rowAt(target: EventTarget | null): number {
  const element = target instanceof Element ? target.closest('[role="treeitem"]') : null;
  return Number(element?.id.split('-').at(-1) ?? -1);
}

/** Takes the space of rows that are not rendered. */
function Spacer({ rows, height }: { readonly rows: number; readonly height: number }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(
    () => element.current?.style.setProperty('height', `${rows * height}px`),
    [rows, height],
  );
  return <div ref={element} role="none" />;
}

function unfoldedAtFirst(notes: readonly string[]): ReadonlySet<string> {
  return new Set(notes.length <= smallVault ? notes.flatMap(foldersOf) : []);
}
