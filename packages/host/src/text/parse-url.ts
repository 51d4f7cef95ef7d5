/** A URL, or nothing when it is none; `URL.parse` is missing in the oldest engines that the plugin runs on. */
export function parseUrl(text: string, base?: string): URL | undefined {
  return URL.canParse(text, base) ? new URL(text, base) : undefined;
}
