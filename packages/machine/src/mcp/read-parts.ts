import type { ContentPart } from '@errand/host';
import { maxParts, tooManyParts } from './message-limit.ts';

/** The parts of a server's answer. Servers answer with anything: what is no part is kept as text. */
export function readParts(content: unknown, server: string): readonly ContentPart[] {
  if (!Array.isArray(content)) return [];
  if (content.length > maxParts) throw tooManyParts(server, content.length);
  return content.every(isPart) ? content : content.map(asPart);
}

function isPart(part: unknown): part is ContentPart {
  return (
    typeof part === 'object' && part !== null && 'type' in part && typeof part.type === 'string'
  );
}

function asPart(part: unknown): ContentPart {
  if (isPart(part)) return part;
  if (typeof part === 'object' && part !== null) return { ...part, type: 'unknown' };
  return { type: 'text', text: String(part) };
}
