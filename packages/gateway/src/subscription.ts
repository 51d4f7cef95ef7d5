import { isRecord, notificationLine, onAbort, type RpcRequest } from '@errand/wire';
import { type Exchange, invalidParams, type Reply } from './exchange.ts';
import { type Implementation, metaKey } from './protocol.ts';

/** What `subscriptions/listen` reaches. */
export interface ChangeSource {
  readonly info: Implementation;
  /** Fires when the gateway closes. */
  readonly closing: AbortSignal;
  onChanged(listener: () => void): () => void;
}

/** Carries out `subscriptions/listen`: the answer comes only when the gateway closes. */
export async function listen(
  source: ChangeSource,
  { id, params }: RpcRequest,
  exchange: Exchange,
): Promise<Reply> {
  const { notifications } = params;
  if (!isRecord(notifications)) {
    return invalidParams('"notifications" must be an object that names what to hear of.');
  }
  const _meta = { [metaKey.subscriptionId]: id };
  // Of what can be subscribed to, a gateway of tools has only their list.
  const honoured = notifications.toolsListChanged === true ? { toolsListChanged: true } : {};
  const acknowledged = 'notifications/subscriptions/acknowledged';
  exchange.notify(notificationLine(acknowledged, { _meta, notifications: honoured }));

  if (honoured.toolsListChanged) {
    const changed = notificationLine('notifications/tools/list_changed', { _meta });
    const stop = source.onChanged(() => exchange.notify(changed));
    const ended = AbortSignal.any([source.closing, exchange.signal]);
    await new Promise((resolve) => onAbort(ended, resolve));
    stop();
  }
  return {
    resultText: JSON.stringify({
      resultType: 'complete',
      _meta: { ..._meta, [metaKey.serverInfo]: source.info },
    }),
  };
}
