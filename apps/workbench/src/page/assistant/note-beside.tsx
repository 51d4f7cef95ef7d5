import type { OpenNote } from '../notes/model/open-note.ts';
import { NoteText } from '../notes/read/note-text.tsx';
import { EmptyState } from '../parts/empty-state.tsx';

/** The note that a conversation is about, as a reader sees it. */
export function NoteBeside({ opened }: { readonly opened: OpenNote }) {
  const note = opened.note.value;
  const failure = opened.failure.value;
  return (
    <section class="note-beside" aria-label="The note">
      {note !== undefined ? (
        <NoteText opened={opened} note={note} target={noTarget} />
      ) : failure === undefined ? (
        <p class="soft" role="status">
          Loading …
        </p>
      ) : (
        <EmptyState icon="warning" title="This note cannot be opened">
          <p>{failure.message}</p>
        </EmptyState>
      )}
    </section>
  );
}

const noTarget = {};
