import { foreignLines } from '@errand/host';
import { markLines, type Width } from './mark-lines.ts';

/**
 * A message for a person. It is a line of ours, and may quote a stranger: whatever follows a line break in it
 * is marked, so that it passes for nothing we say.
 */
export function messageText(message: string, output: Width = {}, indent = ''): string {
  const [first = '', ...rest] = foreignLines(message);
  const marked = rest.length === 0 ? '' : markLines(rest.join('\n'), output, indent);
  return `${indent}${first}\n${marked}`;
}
