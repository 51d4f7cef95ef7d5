import { embedOf, type ResultContent, type ResultForm } from '@errand/document';
import { isPicture } from '@errand/document/display';
import { readParts } from '../executor/type-result.ts';
import { contentText } from '../text/content-text.ts';
import type { Attachment, ToolExecutionResult } from '../tool-invocation.ts';
import type { AttachmentStore } from './attachment-store.ts';

/** More than this goes to a file, and the note shows its beginning. */
const most = { bytes: 64 * 1024, lines: 500 };
const preview = { characters: 8 * 1024, lines: 40 };

/**
 * What a note stores of an answer: its text, and the paths of files for what is large or binary. A form that is
 * read as text gets the text that the server sent, also beside structured content, and a live one shows pictures.
 */
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
  const isLive = as === 'markdown' || as === 'callout';
  const [only] = files;
  if (result.contentType === 'image' && only !== undefined && !(isLive && isEmbeddable(only))) {
    return { status: 'success', type: 'image', payload: only };
  }
  const sent = isLive || as === 'text' ? sentText(result, files, isLive) : undefined;
  const text = sent ?? writtenContent(result.content, as);
  const isKept = files.length === 0 && as !== 'text';
  const type = isKept || result.contentType === 'image' ? result.contentType : 'text';
  const extension = sent === undefined && result.contentType === 'json' ? 'json' : 'txt';
  const lines = await shortened(text, extension, attachments);
  const embeds = isLive ? files.filter(isEmbeddable) : [];
  const named = files
    .map((path, index) =>
      embeds.includes(path) ? embedOf(path) : `attachment ${index + 1}: ${path}`,
    )
    .filter((line) => !lines.includes(line));
  const payload = [...lines, ...named].join('\n');
  const isOther = as === 'text' ? result.contentType === 'json' : result.contentType !== 'json';
  return {
    status: 'success',
    type,
    payload,
    ...((as === 'text' || as === 'json') && isOther && { as }),
    ...(embeds.length > 0 && { embeds }),
  };
}

function writtenContent(content: unknown, as: ResultForm | undefined): string {
  return as === 'json' ? (JSON.stringify(content, undefined, 2) ?? '') : contentText(content);
}

/** The parts of an answer as the server sent them; undefined when there is no text among them. */
function sentText(
  { raw, contentType }: ToolExecutionResult,
  files: readonly string[],
  isLive: boolean,
): string | undefined {
  const { pieces } = readParts(raw);
  const hasText = pieces.some(({ text, attachment }) => attachment === undefined && text !== '');
  if (!hasText && contentType === 'json') return undefined;
  const texts = pieces.map(({ text, attachment = -1 }) => {
    const path = files[attachment];
    return isLive && path !== undefined && isEmbeddable(path) ? embedOf(path) : text;
  });
  return texts.join('\n\n');
}

/** The lines of a text that a note can hold, or its first ones and the file that has all of it. */
async function shortened(
  text: string,
  extension: string,
  attachments: AttachmentStore,
): Promise<readonly string[]> {
  const lines = text.split('\n');
  const bytes = Buffer.byteLength(text);
  if (bytes <= most.bytes && lines.length <= most.lines) return lines;
  const path = await attachments.save(Buffer.from(text), extension);
  const beginning = lines.slice(0, preview.lines).join('\n').slice(0, preview.characters);
  const all = `… all of it (${lines.length} ${lines.length === 1 ? 'line' : 'lines'}, ${bytes} bytes): ${path}`;
  return [...beginning.toWellFormed().split('\n'), all];
}

/** Whether the file is a picture whose path can stand in an embed. */
function isEmbeddable(path: string): boolean {
  return isPicture(path) && !/[[\]|#^\n]/.test(path);
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
