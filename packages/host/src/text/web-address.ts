/**
 * An address that may be opened in a browser although somebody else named it: https, or http on this machine. Other
 * schemes start programs, and a name in front of the host pretends to be one. Undefined for every other text.
 */
export function webAddress(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '') return undefined;
  const isOpenable =
    url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url.hostname));
  return isOpenable ? url : undefined;
}

function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
