import type { HookEngine } from '@errand/hooks';
import type { MailEvent } from '@errand/mailroom';

/** What a mail event is called in a trigger of a hook. */
const names: Readonly<Record<string, string>> = {
  'mail-received': 'received',
  'draft-written': 'drafted',
  'draft-approved': 'approved',
  'mail-sent': 'sent',
  'mail-failed': 'failed',
};

/** Tells hooks of a mail. The id is the same however often it is told, so that a hook runs once. */
export function tellHooks(event: MailEvent, engine: Pick<HookEngine, 'emitAndWait'>): void {
  const name = names[event.kind];
  if (name === undefined || !('item' in event)) return;
  const { item } = event;
  const { id, path, who, subject, state, kind, relatedId, sentId, attempts = 0, isUrgent } = item;
  const mail = {
    event: name,
    id,
    path,
    subject,
    state,
    isUrgent,
    ...(kind === 'mail' ? { from: who, messageId: id } : { to: who }),
    ...(sentId !== undefined && { messageId: sentId }),
    ...(relatedId !== undefined && { relatedId }),
  };
  const fields = { filePath: path, mail };
  const told = {
    id: `mail:${name}:${id}:${attempts}`,
    kind: 'mail',
    at: Date.now(),
    fields,
  } as const;
  // What went wrong with a hook is in its own log.
  void engine.emitAndWait(told).catch(() => undefined);
}
