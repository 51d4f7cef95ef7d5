import type { ResultContent, ResultForm } from '@errand/document';
import { contentText } from '../text/content-text.ts';
import type { Attachment, ToolExecutionResult } from '../tool-invocation.ts';
import type { AttachmentStore } from './attachment-store.ts';

/** More than this goes to a file, and the note shows its beginning. */
const most = { bytes: 64 * 1024, lines: 500 };
const preview = { characters: 8 * 1024, lines: 40 };

/** What a note stores of an answer: its text, and the paths of files for what is large or binary. */
export async function resultContent(
  result: ToolExecutionResult,
  as: ResultForm | undefined,
  attachments: AttachmentStore,
): Promise<ResultContent> {
  const files = await Promise.all(
    (result.attachments ?? []).map(({ data, mimeType }) =>
      attachments.save(Buffer.from(data, 'base64'), extensionOf(mimeType)),
    ),
  );
  const [only] = files;
  if (result.contentType === 'image' && only !== undefined) {
    return { status: 'success', type: 'image', payload: only };
  }
  const { content } = result;
  const text = as === 'json' ? (JSON.stringify(content, undefined, 2) ?? '') : contentText(content);
  const lines = text.split('\n');
  const type = files.length > 0 || as === 'text' ? 'text' : result.contentType;
  const list = files.map((path, index) => `attachment ${index + 1}: ${path}`);
  if (Buffer.byteLength(text) <= most.bytes && lines.length <= most.lines) {
    return { status: 'success', type, payload: [text, ...list].join('\n') };
  }
  const extension = result.contentType === 'json' ? 'json' : 'txt';
  const path = await attachments.save(Buffer.from(text), extension);
  const beginning = lines.slice(0, preview.lines).join('\n').slice(0, preview.characters);
  const size = `${lines.length} lines, ${Buffer.byteLength(text)} bytes`;
  const payload = [beginning.toWellFormed(), `… all of it (${size}): ${path}`, ...list].join('\n');
  return { status: 'success', type: 'text', payload };
}

function extensionOf(mimeType: Attachment['mimeType']): string {
  return extensions.get(mimeType.toLowerCase().split(';')[0]?.trim() ?? '') ?? 'bin';
}

/** A map, because a server may name any type, also one that every object has as a member. */
const extensions: ReadonlyMap<string, string> = new Map([
  ['application/json', 'json'],
  ['application/pdf', 'pdf'],
  ['audio/mpeg', 'mp3'],
  ['audio/ogg', 'ogg'],
  ['audio/wav', 'wav'],
  ['image/avif', 'avif'],
  ['image/gif', 'gif'],
  ['image/jpeg', 'jpg'],
  ['image/png', 'png'],
  ['image/svg+xml', 'svg'],
  ['image/webp', 'webp'],
  ['text/csv', 'csv'],
  ['text/html', 'html'],
]);
