import { useMemo } from 'preact/hooks';
import { hrefTo, type Route } from '../model/route.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { useNotes } from './model/use-notes.ts';
import { NotePane } from './note-pane.tsx';
import './notes-page.css';
import { NotesPane } from './tree/notes-pane.tsx';

/** The notes page: the tree and the open note. */
export function NotesPage({ route }: { readonly route: Route }) {
  const notes = useNotes();
  const { item, options } = route;
  const opened = useMemo(() => (item === '' ? undefined : notes.open(item)), [notes, item]);
  return (
    <div class={`notes-page ${opened === undefined ? 'has-none' : 'has-note'}`}>
      <NotesPane shown={item} />
      {opened === undefined ? <NothingOpen /> : <NotePane opened={opened} options={options} />}
    </div>
  );
}

function NothingOpen() {
  const { list } = useNotes();
  const { state } = useWorkbench();
  const isEmpty = list.value?.notes.length === 0;
  const first = list.value?.notes.find((path) => /^(welcome|readme|home|index)\.md$/i.test(path));
  return (
    <div class="nothing-open">
      {isEmpty ? (
        <EmptyState icon="notes" title="This vault has no notes yet">
          <p>
            Put a Markdown file into its folder, with any program. It appears here at once, and its
            tool blocks can be run.
          </p>
          <code>{state.value?.vault.folder}</code>
        </EmptyState>
      ) : (
        <EmptyState icon="notes" title="Choose a note">
          <p>Its tool blocks can be run here, and their answers are written below them.</p>
          {first && (
            <a href={hrefTo('notes', first)}>{`Begin with ${first.replace(/\.md$/i, '')}`}</a>
          )}
        </EmptyState>
      )}
    </div>
  );
}
