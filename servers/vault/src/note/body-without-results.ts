import { scan, withoutResults } from '@errand/document';

/**
 * The body of a note without Errand's results. Results repeat other notes, and a note that searches would find its
 * own answer, a different one at every run.
 */
export function bodyWithoutResults(text: string, bodyStart: number): string {
  return /mcp-(?:result|error)/.test(text)
    ? withoutResults(scan(text), bodyStart)
    : text.slice(bodyStart);
}
