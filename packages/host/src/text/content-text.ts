/** The content of a tool's answer as text: a text as it is, anything else as indented JSON. */
export function contentText(content: unknown): string {
  return typeof content === 'string' ? content : (JSON.stringify(content, undefined, 2) ?? '');
}
