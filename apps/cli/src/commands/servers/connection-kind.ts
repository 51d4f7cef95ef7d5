import type { ServerConfig } from '@errand/host';

/** How a server is reached, in a word or two. */
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
