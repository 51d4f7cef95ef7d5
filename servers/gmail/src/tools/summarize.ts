import type { gmail_v1 } from '@googleapis/gmail';
import type * as z from 'zod';
import { decodeSnippet, isoDate, plainAddresses, plainHeader } from '../mime/parse-message.ts';
import type { emailSummary } from './mail-schema.ts';

/** The headers that a summary is made from. */
export const summaryHeaders = ['From', 'To', 'Subject', 'Date'];

/** The summary of a message that came with its headers. */
export function summarize(message: gmail_v1.Schema$Message): z.infer<typeof emailSummary> {
  const { id, snippet, internalDate } = message;
  return {
    id: id ?? '',
    subject: plainHeader(headerOf(message, 'subject')),
    sender: plainAddresses(headerOf(message, 'from')),
    date: isoDate(headerOf(message, 'date'), Number(internalDate) || 0),
    snippet: decodeSnippet(snippet),
  };
}

/** A header of a message as it came; empty when there is none. */
export function headerOf({ payload }: gmail_v1.Schema$Message, name: string): string {
  return payload?.headers?.find((header) => header.name?.toLowerCase() === name)?.value ?? '';
}
