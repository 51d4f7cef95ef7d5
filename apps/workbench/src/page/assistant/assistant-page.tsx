import { Badge, Button, Icon } from '@errand/parts/controls';
import { useEffect, useMemo } from 'preact/hooks';
import type { ConversationState } from '../../contract.ts';
import { hrefTo, type Route } from '../model/route.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import type { OpenNote } from '../notes/model/open-note.ts';
import { useNotes } from '../notes/model/use-notes.ts';
import { NoteText } from '../notes/read/note-text.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { useMedia } from '../parts/use-media.ts';
import './assistant-page.css';
import { chosenSection } from './chosen-section.ts';
import { ConversationPane } from './conversation-pane.tsx';
import type { OpenConversation } from './model/open-conversation.ts';
import { useAssistant } from './model/use-assistant.ts';
import { NoAssistant } from './no-assistant.tsx';

/** A conversation with a language model: of its own, or beside a note. */
export function AssistantPage({ route: { item, options } }: { readonly route: Route }) {
  const { state } = useWorkbench();
  const assistant = useAssistant();
  const notes = useNotes();
  const isWide = useMedia('(min-width: 62rem)');
  const path = item === '' ? undefined : item;
  const note = useMemo(() => (path === undefined ? undefined : notes.open(path)), [notes, path]);
  const isKept = note !== undefined && options.free !== '1';
  const opened = useMemo(
    () => assistant.open({ note: path ?? null, isKept }),
    [assistant, path, isKept],
  );
  const section = chosenSection(note?.note.value?.sections ?? [], options);
  const line = section?.line ?? null;
  useEffect(() => void note?.refresh(), [note]);
  useEffect(() => void opened.refresh(line), [opened, line]);
  const assistants = state.value?.assistant.assistants ?? [];
  return (
    <div class={note !== undefined && isWide ? 'assistant-page has-note' : 'assistant-page'}>
      <header class="assistant-head">
        <h1>Assistant</h1>
        {path !== undefined && (
          <a class="assistant-note" href={hrefTo('notes', path)} title={path}>
            <Icon name="notes" />
            <span>{path.split('/').at(-1)?.replace(/\.md$/i, '')}</span>
          </a>
        )}
        <OtherConversations shown={opened.now.value?.id} />
        <StartOver opened={opened} />
      </header>
      {note !== undefined && isWide && <NoteBeside opened={note} />}
      {assistants.length === 0 ? (
        <NoAssistant />
      ) : (
        <ConversationPane
          key={`${path} ${isKept}`}
          opened={opened}
          note={note}
          section={section}
          assistants={assistants}
        />
      )}
    </div>
  );
}

function StartOver({ opened }: { readonly opened: OpenConversation }) {
  const hasTurns = (opened.now.value?.turns.length ?? 0) > 0;
  if (!hasTurns) return null;
  return (
    <Button
      isSmall
      icon="add"
      disabled={opened.live.value !== undefined}
      title={opened.place.isKept ? 'The note keeps what was said' : 'What was said is forgotten'}
      onClick={() => void opened.startOver()}
    >
      New conversation
    </Button>
  );
}

/** The rendered note that a conversation is about. */
function NoteBeside({ opened }: { readonly opened: OpenNote }) {
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

/** Links to other conversations that are answering or need approval. */
function OtherConversations({ shown }: { readonly shown: string | undefined }) {
  const { state } = useWorkbench();
  const others = (state.value?.assistant.conversations ?? []).filter(
    ({ id, isRunning }) => isRunning && id !== shown,
  );
  if (others.length === 0) return null;
  return (
    <ul class="other-conversations small" aria-label="Other conversations">
      {others.map((other) => (
        <li key={other.id}>
          <span class="soft">Also: </span>
          <a href={addressOf(other)}>{titleOf(other)}</a>{' '}
          {other.waiting > 0 ? (
            <Badge tone="warn" isLive>
              Needs approval
            </Badge>
          ) : (
            <Badge tone="accent" isLive>
              Answering
            </Badge>
          )}
        </li>
      ))}
    </ul>
  );
}

function addressOf({ note, isKept }: ConversationState): string {
  return hrefTo('assistant', note ?? '', note === null || isKept ? {} : { free: 1 });
}

function titleOf({ note }: ConversationState): string {
  return note?.split('/').at(-1)?.replace(/\.md$/i, '') ?? 'Without a note';
}
