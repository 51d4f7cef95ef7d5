import { Badge, Button } from '@errand/parts/controls';
import { sessionName } from '@errand/workspace/text';
import { useState } from 'preact/hooks';
import type { Session } from '../../contract.ts';
import { api } from '../model/api.ts';
import { hrefTo } from '../model/route.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { NoteLink } from './note-link.tsx';
import './session-list.css';
import { byUrgency } from './session-order.ts';

const shownAtFirst = 5;

/** The calls of each session against its limit. */
export function SessionList() {
  const { calls } = useWorkbench();
  const [isOpen, setOpen] = useState(false);
  const sessions = calls.value.sessions.filter(isOfUse).toSorted(byUrgency);
  const shown = isOpen ? sessions : sessions.slice(0, shownAtFirst);
  const hidden = sessions.length - shown.length;
  return (
    <section class="panel" aria-labelledby="sessions-title">
      <header class="panel-head">
        <h2 id="sessions-title">Sessions</h2>
      </header>
      <p class="soft small">
        A session counts the calls of a note, or of a conversation with an assistant, until you
        reset it. At its limit, calls are refused. <a href={hrefTo('settings')}>Change the limit</a>
      </p>
      {sessions.length > 0 && (
        <ul class="session-list">
          {shown.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      )}
      {sessions.length === 0 && <p class="soft">No calls since Errand was started.</p>}
      {hidden > 0 && <Button isSmall onClick={() => setOpen(true)}>{`Show ${hidden} more`}</Button>}
    </section>
  );
}

/** Hides conversations without calls: they may be over and have nothing to reset. */
function isOfUse({ conversation, executed }: Session): boolean {
  return conversation === null || executed > 0;
}

function SessionRow({ session }: { readonly session: Session }) {
  const { id, note, conversation, executed, limit, level } = session;
  const model = useWorkbench();
  const [isBusy, setBusy] = useState(false);
  const name = sessionName(session) ?? 'Tools tried in Servers';
  const isNote = note !== null && conversation === null;
  const reset = async () => {
    setBusy(true);
    const changed = await model.attempt(() => api.sessions.reset.$post({ json: { id } }));
    setBusy(false);
    if (changed) model.apply({ kind: 'session-changed', session: changed });
  };
  return (
    <li class={level}>
      <span class="session-name">{isNote ? <NoteLink note={note} /> : name}</span>
      <span class="session-count small">
        {limit === -1 ? `${executed} calls, no limit` : `${executed} of ${limit} calls`}
      </span>
      {limit !== -1 && <progress max={limit} value={executed} aria-label={`Calls of ${name}`} />}
      {level !== 'ok' && (
        <Badge tone={level === 'near' ? 'warn' : 'bad'}>
          {level === 'near' ? 'Near the limit' : 'Limit reached'}
        </Badge>
      )}
      <Button
        isSmall
        isBusy={isBusy}
        disabled={executed === 0}
        onClick={reset}
        aria-label={`Reset ${name}`}
      >
        Reset
      </Button>
      {level === 'reached' && (
        <p class="session-advice small">Its next call will be refused. Reset it to continue.</p>
      )}
    </li>
  );
}
