import { hrefTo } from '../model/route.ts';

export interface NoteLinkProps {
  readonly note: string | null;
  readonly line?: number | null;
}

/** A link to a note and a line in it; the full path is its tooltip. */
export function NoteLink({ note, line = null }: NoteLinkProps) {
  if (note === null) return <span class="soft">No note</span>;
  return (
    <a title={note} href={hrefTo('notes', note, line === null ? {} : { line })}>
      {nameOf(note)}
      {line !== null && <span class="soft"> line {line}</span>}
    </a>
  );
}

function nameOf(note: string): string {
  return note.split('/').at(-1)?.replace(/\.md$/i, '') ?? note;
}
