import { endOfString, jsonExcess } from '@errand/wire';
import type { ContentPart, RawToolResult } from '../connection.ts';
import type { Attachment, ToolExecutionResult } from '../tool-invocation.ts';

/**
 * Turns an answer into one typed value without losing a part of it:
 * structured content is `json`; a lone image is `image`; Markdown resources are `markdown`; text that is a
 * JSON object or array is `json`; everything else is `text`, its parts in order with a blank line between.
 * Images, sound and other binaries become attachments and are named where they stood. This is done when one
 * of these is first read: whoever only passes `raw` on does not pay for it.
 */
export function typeResult(raw: RawToolResult, executionDuration: number): ToolExecutionResult {
  return new TypedResult(raw, Math.max(executionDuration, 1));
}

/** A class, because an object with getters of its own costs every call far more. */
class TypedResult implements ToolExecutionResult {
  readonly executionDuration: number;
  readonly raw: RawToolResult;
  declare readonly tokensUsed?: number;
  #typed: Typed | undefined;

  constructor(raw: RawToolResult, executionDuration: number) {
    this.executionDuration = executionDuration;
    this.raw = raw;
    const tokensUsed = raw._meta?.tokensUsed;
    if (typeof tokensUsed === 'number') this.tokensUsed = tokensUsed;
  }

  get content(): unknown {
    return this.#all.content;
  }

  get contentType(): ToolExecutionResult['contentType'] {
    return this.#all.contentType;
  }

  get attachments(): readonly Attachment[] | undefined {
    return this.#all.attachments;
  }

  get #all(): Typed {
    this.#typed ??= typeAnswer(this.raw);
    return this.#typed;
  }
}

interface Typed extends Pick<ToolExecutionResult, 'content' | 'contentType'> {
  readonly attachments: readonly Attachment[] | undefined;
}

/** The parts of an answer as text, in order, and the binaries among them. */
export function readParts({ content }: Pick<RawToolResult, 'content'>): {
  readonly pieces: readonly Piece[];
  readonly attachments: readonly Attachment[];
} {
  const attachments: Attachment[] = [];
  const pieces = content.map((part) => readPart(part, attachments));
  return { pieces, attachments };
}

function typeAnswer(raw: RawToolResult): Typed {
  const { pieces, attachments } = readParts(raw);
  return {
    ...typeContent(raw, pieces, attachments),
    attachments: attachments.length > 0 ? attachments : undefined,
  };
}

function typeContent(
  raw: RawToolResult,
  pieces: readonly Piece[],
  attachments: readonly Attachment[],
): Omit<Typed, 'attachments'> {
  if (raw.structuredContent !== undefined && raw.structuredContent !== null) {
    return { content: raw.structuredContent, contentType: 'json' };
  }
  const [only] = attachments;
  if (pieces.length === 1 && only?.mimeType.startsWith('image/')) {
    return { content: only, contentType: 'image' };
  }
  const text = pieces.map((piece) => piece.text).join('\n\n');
  if (pieces.length > 0 && pieces.every((piece) => piece.isMarkdown)) {
    return { content: text, contentType: 'markdown' };
  }
  const json = parseJson(text);
  return json === undefined
    ? { content: text, contentType: 'text' }
    : { content: json, contentType: 'json' };
}

/** A part of an answer. A binary is described by its text; `attachment` is its index among the binaries. */
interface Piece {
  readonly text: string;
  readonly isMarkdown: boolean;
  readonly attachment?: number;
}

function readPart(part: ContentPart, attachments: Attachment[]): Piece {
  switch (part.type) {
    case 'text':
      return plainText(asText(part.text));
    case 'image':
    case 'audio':
      return attach(binary(part.mimeType, part.data), attachments);
    case 'resource':
      return readResource(part.resource, attachments);
    case 'resource_link':
      return plainText(describeLink(part));
    default:
      return plainText(`[content of type "${part.type}", which Errand cannot show]`);
  }
}

function readResource(resource: unknown, attachments: Attachment[]): Piece {
  if (typeof resource !== 'object' || resource === null) {
    return plainText('[a resource without content]');
  }
  const { uri, mimeType, text, blob } = resource as Readonly<Record<string, unknown>>;
  if (typeof text === 'string') {
    return {
      text,
      isMarkdown: typeof mimeType === 'string' && /^text\/markdown\b/i.test(mimeType),
    };
  }
  const name = typeof uri === 'string' ? { uri } : {};
  return attach({ ...binary(mimeType, blob), ...name }, attachments);
}

function attach(attachment: Attachment, attachments: Attachment[]): Piece {
  attachments.push(attachment);
  const bytes = Math.floor((attachment.data.length * 3) / 4);
  const from = attachment.uri === undefined ? '' : ` from ${attachment.uri}`;
  const number = attachments.length;
  const text = `[attachment ${number}: ${attachment.mimeType}, about ${bytes} bytes${from}]`;
  return { ...plainText(text), attachment: number - 1 };
}

function binary(mimeType: unknown, data: unknown): Attachment {
  return { mimeType: asText(mimeType) || 'application/octet-stream', data: asText(data) };
}

function describeLink(part: ContentPart): string {
  const name = asText(part.title) || asText(part.name);
  const description = asText(part.description);
  const label = name === '' ? '' : `${name}: `;
  return `${label}${asText(part.uri)}${description === '' ? '' : ` (${description})`}`;
}

function plainText(text: string): Piece {
  return { text, isMarkdown: false };
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/**
 * The value of a text that is a JSON object or array, unless reading it would change its numbers or give more
 * than those who walk through it can bear.
 */
function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  if (jsonExcess(text) !== undefined || losesDigits(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function losesDigits(json: string): boolean {
  if (!/\d{16}/.test(json)) return false;
  // A pattern for whole strings would run out of stack on a long one.
  const token = /"|[-\d][-+.\deE]*/g;
  for (let found = token.exec(json); found !== null; found = token.exec(json)) {
    const [text] = found;
    if (text === '"') token.lastIndex = endOfString(json, token.lastIndex) + 1;
    else if (text.length >= 16 && String(Number(text)) !== text) return true;
  }
  return false;
}
