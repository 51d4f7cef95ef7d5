import { hrefTo } from '../model/route.ts';

export interface NoteLinkProps {
  readonly note: string | null;
  readonly line?: number | null;
}

/** The note, and the line in it, that something belongs to. */
export function NoteLink({ note, line = null }: NoteLinkProps) {
  if (note === null) return <span class="soft">No note</span>;
  return (
    <a class="note-link" href={hrefTo('notes', note, line === null ? {} : { line })}>
      {note.replace(/\.md$/i, '')}
      {line !== null && <span class="soft"> line {line}</span>}
    </a>
  );
}
