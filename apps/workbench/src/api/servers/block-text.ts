import { stringify } from 'yaml';

/** Writes a call as a block to paste into a note. */
export function blockText(
  server: string,
  { tool, params }: { readonly tool: string; readonly params: Readonly<Record<string, unknown>> },
): string {
  // A parameter called `tool` would be read as the tool's name, so that one moves to the info line.
  const isOnInfoLine = 'tool' in params;
  const body = { ...(isOnInfoLine ? {} : { tool }), ...params };
  const text = Object.keys(body).length === 0 ? '' : stringify(body, { lineWidth: 0 });
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${server}${isOnInfoLine ? ` tool=${tool}` : ''}\n${text}${fence}`;
}

/** Backticks in a row: the fence must be longer. */
function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
}
