import { useEffect, useMemo } from 'preact/hooks';
import { hrefTo, type Route } from '../model/route.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { useNotes } from '../notes/model/use-notes.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { useMedia } from '../parts/use-media.ts';
import './assistant-page.css';
import { chosenSection } from './chosen-section.ts';
import { ConversationPane } from './conversation-pane.tsx';
import type { OpenConversation } from './model/open-conversation.ts';
import { useAssistant } from './model/use-assistant.ts';
import { NoAssistant } from './no-assistant.tsx';
import { NoteBeside } from './note-beside.tsx';
import { OtherConversations } from './other-conversations.tsx';

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
