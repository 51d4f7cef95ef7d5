import type { ActiveCall, PastCall } from '../../contract.ts';
import { hrefTo } from '../model/route.ts';
import { sourceLabels } from './call-labels.ts';
import { NoteLink } from './note-link.tsx';

/** Tool, note and caller: the middle columns of a row of calls. */
export function CallCells({ call }: { readonly call: ActiveCall | PastCall }) {
  const { id, server, tool, note, source } = call;
  return (
    <>
      <a class="call-name" href={hrefTo('calls', id)}>
        <span class="soft">{server}</span> {tool}
      </a>
      <span class="call-note">
        <NoteLink note={note} call={call} />
      </span>
      <span class="call-source soft">{sourceLabels[source] ?? source}</span>
    </>
  );
}
