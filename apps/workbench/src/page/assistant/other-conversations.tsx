import type { ConversationState } from '../../contract.ts';
import { hrefTo } from '../model/route.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { Badge } from '../parts/badge.tsx';

/** Links to other conversations that are answering or need approval. */
export function OtherConversations({ shown }: { readonly shown: string | undefined }) {
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
