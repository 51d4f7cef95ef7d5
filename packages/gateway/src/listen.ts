import { HostError } from '@errand/host';
import { isRecord, notificationLine, onAbort, type RpcRequest } from '@errand/wire';
import { type Exchange, invalidParams, type Reply } from './exchange.ts';
import { type ChangingList, type Implementation, metaKey } from './protocol.ts';
import type { ResourceSubscriptions } from './resource-subscriptions.ts';
import { type RouteSources, routeResource } from './route-content.ts';
import { filterFor, type ScopeOf } from './scope.ts';

/** What `subscriptions/listen` reaches. */
interface ChangeSource extends RouteSources {
  readonly info: Implementation;
  readonly scope: ScopeOf | undefined;
  readonly subscriptions: ResourceSubscriptions;
  /** Fires when the gateway closes. */
  readonly closing: AbortSignal;
  onChanged(listener: (list: ChangingList) => void): () => void;
}

const lists: readonly ChangingList[] = ['tools', 'resources', 'prompts'];
const maxResources = 1_000;

/** Carries out `subscriptions/listen`: the answer comes only when the gateway closes. */
export async function listen(
  source: ChangeSource,
  { id, params }: RpcRequest,
  exchange: Exchange,
): Promise<Reply> {
  const { notifications } = params;
  if (!isRecord(notifications)) {
    return invalidParams('"notifications" must be an object that names what to subscribe to.');
  }
  const _meta = { [metaKey.subscriptionId]: id };
  const wanted = lists.filter((list) => notifications[`${list}ListChanged`] === true);
  const { resourceSubscriptions: uris } = notifications;
  const ended = AbortSignal.any([source.closing, exchange.signal]);
  const stops: (() => void)[] = [];
  const followed = Array.isArray(uris) ? await followAll(uris, source, exchange, { _meta }) : [];
  for (const { lease } of followed) stops.push(() => lease[Symbol.dispose]());
  const honoured = {
    ...Object.fromEntries(wanted.map((list) => [`${list}ListChanged`, true])),
    ...(followed.length > 0 && { resourceSubscriptions: followed.map(({ uri }) => uri) }),
  };
  const acknowledged = 'notifications/subscriptions/acknowledged';
  exchange.notify(notificationLine(acknowledged, { _meta, notifications: honoured }));
  if (Object.keys(honoured).length > 0) {
    stops.push(
      source.onChanged((list) => {
        if (!wanted.includes(list)) return;
        exchange.notify(notificationLine(`notifications/${list}/list_changed`, { _meta }));
      }),
    );
    await new Promise((resolve) => onAbort(ended, resolve));
  }
  for (const stop of stops) stop();
  return {
    resultText: JSON.stringify({
      resultType: 'complete',
      _meta: { ..._meta, [metaKey.serverInfo]: source.info },
    }),
  };
}

/** Follows the resources whose servers say when they change; the others are left out of what is acknowledged. */
async function followAll(
  uris: readonly unknown[],
  source: ChangeSource,
  { query, notify }: Exchange,
  meta: object,
): Promise<readonly { readonly uri: string; readonly lease: Disposable }[]> {
  const filter = await filterFor(query, source.scope);
  if (filter instanceof HostError) return [];
  const followed = [];
  for (const uri of new Set(uris.slice(0, maxResources))) {
    if (typeof uri !== 'string') continue;
    const route = await routeResource(uri, source);
    if (!route?.server.features.subscriptions || filter?.(route.server.name, '') === false)
      continue;
    const lease = await source.subscriptions
      .follow(route, uri, notify, meta)
      .catch(() => undefined);
    if (lease !== undefined) followed.push({ uri, lease });
  }
  return followed;
}
