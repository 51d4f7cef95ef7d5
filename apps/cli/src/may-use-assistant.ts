import { type AssistantConfig, HostError } from '@errand/host';

/**
 * Why an assistant must not be used: settings travel with a vault, and a stranger's must not send a
 * conversation, and the key that goes with it, to a place the person never agreed to (D17).
 */
export function mayUseAssistant(
  { name, baseUrl }: AssistantConfig,
  isTrusted: boolean,
): HostError | undefined {
  if (isTrusted || baseUrl === undefined || isThisMachine(baseUrl)) return undefined;
  return new HostError(
    'untrusted',
    `Assistant "${name}" would send what you ask, and its key, to ${baseUrl}. If these settings are yours, or you trust them, say so with: --trust`,
  );
}

function isThisMachine(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
