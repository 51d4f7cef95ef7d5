import { duration } from '@errand/document/display';
import type { ServerReport } from '@errand/host';
import { countdown, type ServerWords, toolCount } from '@errand/workspace/words';

/** A server with how it is, in words. */
export interface ServerAndWords {
  readonly report: ServerReport;
  readonly words: ServerWords;
}

/** Servers as a command line prints them: one line each, and below it why it is as it is. */
export function describeServers(servers: readonly ServerAndWords[], now: number): string {
  if (servers.length === 0) return 'No servers yet. Add one in the settings of Errand.';
  return servers.map((server) => describe(server, now)).join('\n');
}

function describe({ report, words }: ServerAndWords, now: number): string {
  const { name, tools, pingLatency, nextRetryAt } = report;
  const facts = [
    words.state,
    ...(nextRetryAt === null ? [] : [`next try ${countdown(nextRetryAt - now)}`]),
    ...(tools === null ? [] : [toolCount(tools)]),
    ...(pingLatency === null ? [] : [duration(pingLatency)]),
  ];
  const line = `${name}: ${facts.join(', ')}`;
  return words.reason === null ? line : `${line}\n  ${words.reason.split('\n').join('\n  ')}`;
}
