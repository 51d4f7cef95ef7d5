import { contentText, type ToolExecutionResult } from '@errand/host';
import type { CallContent } from '../../contract.ts';
import { cutText } from './cut-text.ts';

/** More is not shown: no person reads it, and no browser likes it. */
const mostCharacters = 2 * 1024 * 1024;

/** A tool's answer as a page shows it. */
export function callContent(result: ToolExecutionResult): CallContent {
  const { content, contentType, attachments = [] } = result;
  const text = contentType === 'image' ? '' : contentText(content);
  return {
    type: contentType,
    text: cutText(contentType, text, mostCharacters),
    attachments: attachments.map(({ mimeType, data }) => ({ mimeType, data })),
    isCut: text.length > mostCharacters,
  };
}
