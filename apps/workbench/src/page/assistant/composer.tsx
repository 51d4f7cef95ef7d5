import { Button } from '@errand/parts/controls';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Assistant } from '../../contract.ts';
import { hrefTo } from '../model/route.ts';
import './composer.css';
import type { OpenConversation } from './model/open-conversation.ts';
import { useAssistant } from './model/use-assistant.ts';

export interface ComposerProps {
  readonly opened: OpenConversation;
  readonly assistants: readonly Assistant[];
  readonly assistant: Assistant;
  readonly onAsk: (question: string) => void;
  /** Further controls beside the question. */
  readonly children?: ComponentChildren;
}

/** The form that sends a question to an assistant. */
export function Composer({ opened, assistants, assistant, onAsk, children }: ComposerProps) {
  const id = useId();
  const isGoing = opened.live.value !== undefined;
  const text = opened.draft.value;
  const failure = opened.failure.value;
  const send = () => {
    if (text.trim() !== '' && !isGoing && assistant.verdict === 'trusted') onAsk(text.trim());
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {failure && (
        <p class="field-error small" role="alert">
          {failure.message}
          {failure.code === 'secret_missing' && (
            <a href={hrefTo('settings')}> Set it in Settings</a>
          )}
        </p>
      )}
      <label class="visually-hidden" for={id}>
        Your question
      </label>
      <textarea
        id={id}
        class="control"
        rows={2}
        placeholder={`Ask ${assistant.name} …`}
        value={text}
        aria-describedby={`${id}-keys`}
        onInput={(event) => {
          opened.draft.value = event.currentTarget.value;
        }}
        onKeyDown={(event) => {
          // During IME composition, Enter selects a candidate.
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      <p id={`${id}-keys`} class="visually-hidden">
        Enter sends, Shift+Enter starts a new line.
      </p>
      <div class="composer-row">
        <AssistantChoice assistants={assistants} assistant={assistant} />
        {children}
        {isGoing ? (
          <Button icon="stop" look="danger" onClick={() => void opened.stop()}>
            Stop
          </Button>
        ) : (
          <Button
            type="submit"
            look="primary"
            isBusy={opened.isSending.value}
            disabled={text.trim() === '' || assistant.verdict !== 'trusted'}
          >
            Ask
          </Button>
        )}
      </div>
    </form>
  );
}

type AssistantChoiceProps = Pick<ComposerProps, 'assistants' | 'assistant'>;

function AssistantChoice({ assistants, assistant }: AssistantChoiceProps) {
  const { chosen } = useAssistant();
  const { name, model, provider } = assistant;
  if (assistants.length === 1) {
    return (
      <p class="composer-who small soft" title={provider}>
        <strong>{name}</strong> {model}
      </p>
    );
  }
  return (
    <select
      class="control composer-who small"
      aria-label="Assistant"
      value={name}
      onChange={(event) => {
        chosen.value = event.currentTarget.value;
      }}
    >
      {assistants.map((each) => (
        <option key={each.name} value={each.name}>
          {`${each.name} (${each.model})`}
        </option>
      ))}
    </select>
  );
}
