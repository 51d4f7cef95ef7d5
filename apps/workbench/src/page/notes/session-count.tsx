import type { Note } from '../../contract.ts';
import { api, ask } from '../model/api.ts';
import { useWorkbench } from '../model/use-workbench.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';

/** How many calls this note has made, of how many it may make; and how to begin anew. */
export function SessionCount({ note }: { readonly note: Note }) {
  const workbench = useWorkbench();
  const { id } = note.session;
  const session = workbench.calls.value.sessions.find((known) => known.id === id) ?? note.session;
  const { executed, limit, level } = session;
  if (limit === -1 && executed === 0) return null;
  const reset = () =>
    workbench.attempt(async () => {
      const after = await ask(api.sessions.reset.$post({ json: { id } }));
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
  ok: 'Calls of this note since it was opened or reset',
  near: 'When the limit is reached, no block of this note runs until the count is reset.',
  reached: 'No block of this note runs until the count is reset. The limit is in Settings.',
} as const;
