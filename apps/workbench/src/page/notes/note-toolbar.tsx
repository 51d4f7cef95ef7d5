import { Badge, Button, Icon } from '@errand/parts/controls';
import type { Note } from '../../contract.ts';
import { api } from '../model/api.ts';
import { goTo, hrefTo } from '../model/route.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import type { OpenNote } from './model/open-note.ts';
import './note-toolbar.css';
import { parentOf, titleOf } from './tree/tree-rows.ts';
import { UnsavedText } from './unsaved-text.tsx';

export type View = 'read' | 'source';

export interface NoteToolbarProps {
  readonly opened: OpenNote;
  readonly note: Note | undefined;
  readonly view: View;
}

/** The title of the note and its actions. */
export function NoteToolbar({ opened, note, view }: NoteToolbarProps) {
  const { path } = opened;
  return (
    <header class="note-toolbar">
      <a class="note-back" href={hrefTo('notes')}>
        <Icon name="back" />
        <span>All notes</span>
      </a>
      <div class="note-title">
        <h2 title={path}>{titleOf(path)}</h2>
        {parentOf(path) !== '' && <span class="soft small">{parentOf(path)}</span>}
      </div>
      <div class="note-actions">
        {note && note.blocks.length > 0 && <RunActions opened={opened} note={note} />}
        <UnsavedText opened={opened} />
        <Button icon="assistant" onClick={() => goTo('assistant', path)}>
          Ask here
        </Button>
      </div>
      <ViewSwitch path={path} view={view} />
    </header>
  );
}

function RunActions({ opened, note }: { readonly opened: OpenNote; readonly note: Note }) {
  const running = opened.cards.running.value;
  const done = opened.cards.alreadyDone.value;
  const { blocks } = note;
  const stale = blocks.filter(
    ({ state, problem }) => problem === null && ['new', 'stale', 'failed'].includes(state),
  );
  return (
    <>
      <SessionCount note={note} />
      {running > 0 && (
        <Button icon="stop" look="danger" onClick={() => void opened.cancel()}>
          {`Cancel all (${running})`}
        </Button>
      )}
      {done.length > 0 && (
        <Button
          title="They were left as they are: a second call could act a second time"
          onClick={() => void opened.run({ keys: done, again: true })}
        >
          {`${done.length} already done: run again`}
        </Button>
      )}
      <Button
        disabled={stale.length === 0}
        title="Blocks that never ran, failed, or were changed"
        onClick={() => void opened.run({ stale: true })}
      >
        {stale.length === 0 ? 'Run new and changed' : `Run new and changed (${stale.length})`}
      </Button>
      <Button icon="play" onClick={() => void opened.run({})}>
        {`Run all (${blocks.length})`}
      </Button>
    </>
  );
}

function ViewSwitch({ path, view }: { readonly path: string; readonly view: View }) {
  return (
    <fieldset class="view-switch" aria-label="View">
      <Button aria-pressed={view === 'read'} onClick={() => goTo('notes', path)}>
        Read
      </Button>
      <Button
        aria-pressed={view === 'source'}
        onClick={() => goTo('notes', path, { view: 'source' })}
      >
        Source
      </Button>
    </fieldset>
  );
}

/** The calls of this note against its limit, with a reset button near the limit. */
function SessionCount({ note }: { readonly note: Note }) {
  const workbench = useWorkbench();
  const { id } = note.session;
  const session = workbench.calls.value.sessions.find((known) => known.id === id) ?? note.session;
  const { executed, limit, level } = session;
  if (limit === -1 && executed === 0) return null;
  const reset = () =>
    workbench.attempt(async () => {
      const after = await api.sessions.reset.$post({ json: { id } });
      workbench.apply({ kind: 'session-changed', session: after });
    });
  return (
    <span class="session-count" role="status">
      <Badge tone={tones[level]} title={hints[level]}>
        {limit === -1 ? `${executed} calls` : `${executed} of ${limit} calls`}
        {level === 'reached' && ': limit reached'}
        {level === 'near' && ': near the limit'}
      </Badge>
      {level !== 'ok' && (
        <Button isSmall onClick={() => void reset()}>
          Reset
        </Button>
      )}
    </span>
  );
}

const tones = { ok: 'neutral', near: 'warn', reached: 'bad' } as const;
const hints = {
  ok: 'Calls of this note since Errand was started or the count was reset',
  near: 'When the limit is reached, no block of this note runs until the count is reset.',
  reached: 'No block of this note runs until the count is reset. The limit is in Settings.',
} as const;
