import { Button, Icon } from '@errand/parts/controls';
import { useEffect } from 'preact/hooks';
import { EmptyState } from '../../parts/empty-state.tsx';
import { useNotes } from '../model/use-notes.ts';
import { NoteTree } from './note-tree.tsx';
import './notes-pane.css';
import { SearchResults } from './search-results.tsx';

/** The notes pane: search and folder tree. */
export function NotesPane({ shown }: { readonly shown: string }) {
  const notes = useNotes();
  useEffect(() => {
    if (notes.list.value === undefined) void notes.load();
  }, [notes]);
  return (
    <aside class="notes-pane" aria-label="All notes">
      <header>
        <h1>Notes</h1>
        {notes.list.value && (
          <span class="soft small">{notes.list.value.notes.length.toLocaleString('en')}</span>
        )}
      </header>
      <search class="notes-search">
        <Icon name="search" />
        <input
          class="control"
          type="search"
          aria-label="Search notes"
          placeholder="Search names and text"
          value={notes.query.value}
          onInput={(event) => {
            notes.query.value = event.currentTarget.value;
          }}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown') return;
            event.preventDefault();
            const pane = event.currentTarget.closest('.notes-pane');
            pane?.querySelector<HTMLElement>('.search-results a, [role="tree"]')?.focus();
          }}
        />
      </search>
      <Content shown={shown} />
    </aside>
  );
}

function Content({ shown }: { readonly shown: string }) {
  const notes = useNotes();
  const list = notes.list.value;
  const query = notes.query.value.trim();
  if (list === undefined) {
    if (notes.failure.value === undefined) return <p class="notes-hint soft">Loading …</p>;
    return (
      <EmptyState icon="warning" title="The notes cannot be listed">
        <p>{notes.failure.value.message}</p>
        <Button icon="redo" onClick={() => void notes.load()}>
          Try again
        </Button>
      </EmptyState>
    );
  }
  if (query !== '') return <SearchResults query={query} notes={list.notes} shown={shown} />;
  if (list.notes.length === 0) return null;
  return (
    <>
      <NoteTree notes={list.notes} shown={shown} />
      {list.isCut && (
        <p class="notes-hint soft small">
          Not all notes are listed. Search finds only the listed ones.
        </p>
      )}
    </>
  );
}
