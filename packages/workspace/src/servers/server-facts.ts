import type { ServerSnapshot } from '@errand/host';
import { toolCount } from './describe-server-state.ts';

/** What a connected server has and how fast it answers: `3 tools`, `answers in 4 ms`. */
export function serverFacts(snapshot: ServerSnapshot): readonly string[] {
  const { connectionState, toolCount: tools, pingLatency } = snapshot;
  if (connectionState !== 'connected') return [];
  return [
    ...(tools === undefined ? [] : [toolCount(tools)]),
    ...(pingLatency === undefined ? [] : [`answers in ${Math.round(pingLatency)} ms`]),
  ];
}
