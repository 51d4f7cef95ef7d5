import { Button } from '@errand/parts/controls';
import { useEffect } from 'preact/hooks';
import type { Note } from '../../contract.ts';
import { PlainText } from '../parts/content/plain-text.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { ConflictBar } from './conflict-bar.tsx';
import type { OpenNote } from './model/open-note.ts';
import './note-pane.css';
import { useMedia } from '../parts/use-media.ts';
import { NoteToolbar, type View } from './note-toolbar.tsx';
import { SectionRail } from './rail/section-rail.tsx';
import { NoteText } from './read/note-text.tsx';
import { SourceView } from './source/source-view.tsx';

export interface NotePaneProps {
  readonly opened: OpenNote;
  readonly options: Readonly<Record<string, string>>;
}

/** An open note in the reading or source view. */
export function NotePane({ opened, options }: NotePaneProps) {
  useEffect(() => void opened.refresh(), [opened]);
  const note = opened.note.value;
  const view: View = options.view === 'source' ? 'source' : 'read';
  return (
    <div class="note-pane">
      <NoteToolbar opened={opened} note={note} view={view} />
      <ConflictBar opened={opened} />
      <Missing opened={opened} />
      {note === undefined ? (
        <Unread opened={opened} />
      ) : view === 'source' ? (
        <SourceView key={opened.path} opened={opened} line={options.line} />
      ) : (
        <Reading opened={opened} note={note} options={options} />
      )}
    </div>
  );
}

interface ReadingProps extends NotePaneProps {
  readonly note: Note;
}

function Reading({ opened, note, options }: ReadingProps) {
  const isNarrow = useMedia('(max-width: 75rem)');
  const rail = <SectionRail opened={opened} note={note} />;
  return (
    <div class={isNarrow ? 'note-scroll is-narrow' : 'note-scroll'}>
      <div class="note-body">
        {isNarrow && (
          <details class="rail-fold">
            <summary>Servers of this note's sections</summary>
            {rail}
          </details>
        )}
        <NoteText opened={opened} note={note} target={options} />
        {!isNarrow && (
          <aside class="rail" aria-label="Servers of the sections">
            <h3 class="small">Servers by section</h3>
            {rail}
          </aside>
        )}
      </div>
    </div>
  );
}

/** Warns that the file can no longer be read; the last version stays visible. */
function Missing({ opened }: { readonly opened: OpenNote }) {
  const failure = opened.failure.value;
  if (failure === undefined || opened.note.value === undefined) return null;
  return (
    <div class="conflict-bar" role="alert">
      <p>
        <strong>This note can no longer be read.</strong> {failure.message}{' '}
        {opened.draft.value ? keptText(opened) : 'This is how it was last read.'}
      </p>
      <Button isSmall onClick={() => void opened.refresh()}>
        Try again
      </Button>
    </div>
  );
}

const keptText = ({ isMissing }: OpenNote) =>
  isMissing.value
    ? 'Your unsaved text is kept. Save it to make the file again.'
    : 'Your unsaved text is kept.';

function Unread({ opened }: { readonly opened: OpenNote }) {
  const failure = opened.failure.value;
  const draft = opened.draft.value;
  if (failure === undefined) {
    return (
      <p class="note-wait soft" role="status">
        Loading …
      </p>
    );
  }
  return (
    <EmptyState icon="warning" title="This note cannot be opened">
      <p>{failure.message}</p>
      {draft && (
        <section class="kept-text" aria-label="Your unsaved text">
          <p>{keptText(opened)}</p>
          <CopyButton text={draft.text} what="unsaved text" />
          <PlainText text={draft.text} />
        </section>
      )}
      <Button icon="redo" onClick={() => void opened.refresh()}>
        Try again
      </Button>
    </EmptyState>
  );
}
