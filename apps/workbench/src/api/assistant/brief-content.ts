import type { CallContent } from '../../contract.ts';
import { cutText } from '../calls/cut-text.ts';

/** A conversation is sent whole to every page that opens it, so its answers must not be long. */
const most = { characters: 100_000, attachments: 2_000_000 };

/** An answer as a conversation shows it: the beginning of a long one. */
export function briefContent(content: CallContent): CallContent {
  const { text, attachments, isCut } = content;
  const kept: CallContent['attachments'][number][] = [];
  let size = 0;
  for (const attachment of attachments) {
    size += attachment.data.length;
    if (size <= most.attachments) kept.push(attachment);
  }
  return {
    ...content,
    text: cutText(content.type, text, most.characters),
    attachments: kept,
    isCut: isCut || text.length > most.characters || kept.length < attachments.length,
  };
}
