import { Button } from '@errand/parts/controls';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Assistant, Section } from '../../contract.ts';
import type { OpenNote } from '../notes/model/open-note.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { Composer } from './composer.tsx';
import './conversation-pane.css';
import type { OpenConversation } from './model/open-conversation.ts';
import { useAssistant } from './model/use-assistant.ts';
import { NoteChoices } from './note-choices.tsx';
import { TurnView } from './turn-view.tsx';
import { Untrusted } from './untrusted.tsx';

export interface ConversationPaneProps {
  readonly opened: OpenConversation;
  readonly note: OpenNote | undefined;
  readonly section: Section | undefined;
  readonly assistants: readonly Assistant[];
}

/** The turns of a conversation and its composer. */
export function ConversationPane({ opened, note, section, assistants }: ConversationPaneProps) {
  const { chosen } = useAssistant();
  const list = useRef<HTMLDivElement>(null);
  const conversation = opened.now.value;
  const onScroll = useStickToEnd(list, conversation);
  const [first] = assistants;
  const assistant = assistants.find(({ name }) => name === chosen.value) ?? first;
  if (assistant === undefined) return null;
  const ask = async (question: string | null) => {
    // Save first: the model must see the unsaved text of the note.
    if (note !== undefined && !(await note.save())) return;
    await opened.ask({ line: section?.line ?? null, assistant: assistant.name, question });
  };
  const last = conversation?.turns.at(-1);
  const isFree = opened.live.value === undefined && assistant.verdict === 'trusted';
  // A question that was tried here already has a retry button.
  const isNew = last?.question !== conversation?.openQuestion;
  return (
    <section class="conversation" aria-label="Conversation">
      <div ref={list} class="conversation-turns" onScroll={onScroll}>
        {conversation?.turns.length === 0 && conversation.openQuestion === null && (
          <Beginning isBeside={note !== undefined} />
        )}
        {conversation?.turns.map((turn) => (
          <TurnView
            key={turn.id}
            turn={turn}
            onAnswer={opened.answer}
            onAsk={turn === last && isFree ? (question) => void ask(question) : undefined}
          />
        ))}
        {conversation?.openQuestion != null && isFree && isNew && (
          <div class="open-question">
            <p class="small soft">The note has a question without an answer:</p>
            <p>{conversation.openQuestion}</p>
            <Button isSmall icon="play" onClick={() => void ask(null)}>
              Answer it
            </Button>
          </div>
        )}
      </div>
      <Status opened={opened} />
      <Waiting opened={opened} list={list} />
      <Untrusted assistant={assistant} />
      <Composer
        opened={opened}
        assistants={assistants}
        assistant={assistant}
        onAsk={(question) => void ask(question)}
      >
        {note && <NoteChoices opened={opened} note={note} section={section} />}
      </Composer>
    </section>
  );
}

function Beginning({ isBeside }: { readonly isBeside: boolean }) {
  return (
    <EmptyState icon="assistant" title="Ask something">
      <p>
        {isBeside
          ? 'The model sees this note, and may use the tools that its section allows.'
          : 'The model may use the tools of your servers.'}{' '}
        You see every call. One that changes something asks you first, unless the settings of its
        server say otherwise.
      </p>
    </EmptyState>
  );
}

/** Announces progress to screen readers without reading the whole answer. */
function Status({ opened }: { readonly opened: OpenConversation }) {
  const last = opened.now.value?.turns.at(-1);
  const words = () => {
    if (last === undefined) return '';
    if (last.end === null) return `${last.assistant} is answering.`;
    return last.end.message ?? `${last.assistant} has answered.`;
  };
  return (
    <p class="visually-hidden" role="status">
      {words()}
    </p>
  );
}

/** Keeps a growing list scrolled to its end, unless the person has scrolled up. */
function useStickToEnd(
  element: { readonly current: HTMLElement | null },
  content: unknown,
): () => void {
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const { current } = element;
    if (current !== null && isAtEnd.current) current.scrollTop = current.scrollHeight;
  }, [element, content]);
  return () => {
    const { current } = element;
    if (current === null) return;
    isAtEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < nearEnd;
  };
}

/** Distance from the end, in pixels, that still counts as being at the end. */
const nearEnd = 60;

interface WaitingProps {
  readonly opened: OpenConversation;
  readonly list: { readonly current: HTMLElement | null };
}

/** Points to an approval that may be scrolled out of view. */
function Waiting({ opened, list }: WaitingProps) {
  const waiting = opened.waiting.value.length;
  const look = () => {
    const first = list.current?.querySelector<HTMLElement>('.approval button');
    first?.focus();
    first?.closest('.call-card')?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <div role="status">
      {waiting > 0 && (
        <p class="waiting small">
          <span>
            {waiting === 1 ? 'A call needs approval.' : `${waiting} calls need approval.`}
          </span>
          <Button isSmall onClick={look}>
            Look at it
          </Button>
        </p>
      )}
    </div>
  );
}
