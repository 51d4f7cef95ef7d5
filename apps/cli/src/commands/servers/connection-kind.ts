import type { ServerConfig } from '@errand/host';

/** A short name for how a server is reached. */
export function connectionKind({
  deploymentType,
  transport,
}: Pick<ServerConfig, 'deploymentType' | 'transport'>): string {
  return ways[`${deploymentType} ${transport}`] ?? deploymentType;
}

const ways: Readonly<Record<string, string>> = {
  'local stdio': 'command',
  'managed stdio': 'container',
  'managed http': 'container, HTTP',
  'managed sse': 'container, SSE',
  'external http': 'URL',
  'external sse': 'URL, SSE',
};
