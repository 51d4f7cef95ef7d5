import type { CallLog, CallOutcome } from '@errand/host';

/** Characters of an answer that a model is given. */
const most = 20_000;

/** The text of a result for a model. A long one is cut; the log keeps all of it. */
export async function resultText(
  outcome: CallOutcome,
  log: Pick<CallLog, 'keepResult'>,
): Promise<string> {
  const { result } = outcome;
  if (result === undefined) return outcome.status === 'success' ? '' : outcome.error.message;
  const { content, attachments = [] } = result;
  const files = attachments.map(({ mimeType, data }) => `[${mimeType}, ${bytesOf(data)} bytes]`);
  const words = result.contentType === 'image' ? '' : asText(content);
  const text = [words, ...files].filter((part) => part !== '').join('\n');
  if (text.length <= most) return text;
  const beginning = text.slice(0, most).toWellFormed();
  const place = await log.keepResult(outcome.requestId, text).catch(() => undefined);
  const where = place === undefined ? '' : ` The person has all of it in ${place}.`;
  return `${beginning}\n… (${text.length} characters in all; this is the beginning.${where})`;
}

function asText(content: unknown): string {
  return typeof content === 'string' ? content : (JSON.stringify(content, undefined, 2) ?? '');
}

function bytesOf(base64: string): number {
  return Math.floor((base64.length * 3) / 4);
}
