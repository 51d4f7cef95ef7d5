import { hrefTo } from '../model/route.ts';

export interface NoteLinkProps {
  readonly note: string | null;
  /** A call of the note, which the link leads to. */
  readonly call?: { readonly line: number | null; readonly server: string; readonly tool: string };
}

/** A link to a note and a block in it; the full path is its tooltip. */
export function NoteLink({ note, call }: NoteLinkProps) {
  if (note === null) return <span class="soft">No note</span>;
  if (call === undefined || call.line === null) {
    return (
      <a title={note} href={hrefTo('notes', note)}>
        {nameOf(note)}
      </a>
    );
  }
  const { line, server, tool } = call;
  return (
    <a title={note} href={hrefTo('notes', note, { line, server, tool })}>
      {nameOf(note)}
      <span class="soft"> line {line}</span>
    </a>
  );
}

function nameOf(note: string): string {
  return note.split('/').at(-1)?.replace(/\.md$/i, '') ?? note;
}
