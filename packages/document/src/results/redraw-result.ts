import type { BlockOptions } from '../blocks/block-options.ts';
import type { ToolBlock } from '../blocks/tool-block.ts';
import { isPicture, resultParts } from '../display/result-parts.ts';
import type { ResultBlock } from './result-block.ts';
import type { ResultContent } from './result-lines.ts';

/** Whether a result is written as the options of its block ask. */
export function isDrawnAs(result: ResultBlock, { as, display }: BlockOptions): boolean {
  if (result.status === 'error') return true;
  if (result.form !== formOf(as) || result.display !== (display ?? null)) return false;
  return result.form !== 'fence' || hasTypeFor(result, as);
}

/**
 * The stored answer to a request, to be written once more as the options of its block ask; null when the note does
 * not hold enough of it, so that only another call would do.
 */
export function redrawResult({ result, req, options }: ToolBlock): ResultContent | null {
  if (result === null || result.status === 'error' || result.isEdited || result.req !== req)
    return null;
  const { form, type, as, payload } = result;
  const content = { status: 'success', type: type ?? 'text' } as const;
  const wanted = formOf(options.as);
  if (wanted === 'fence') {
    if (form !== 'fence' || !hasTypeFor(result, options.as)) return null;
    return { ...content, payload, ...(as !== null && { as }) };
  }
  if (form !== 'fence') {
    const embeds = payload.split('\n').flatMap((line) => embed.exec(line)?.[1] ?? []);
    return { ...content, payload: payload.replace(/^\n+/, ''), embeds: embeds.filter(isPicture) };
  }
  const isText = type === 'text' || type === 'markdown';
  return isText && resultParts(result).files.length === 0 ? { ...content, payload } : null;
}

const embed = /^!\[\[([^[\]|#^]+)\]\]$/;

function formOf(as: BlockOptions['as']): ResultBlock['form'] {
  return as === 'markdown' || as === 'callout' ? as : 'fence';
}

function hasTypeFor({ type, as }: ResultBlock, wanted: BlockOptions['as']): boolean {
  if (wanted === 'text' || wanted === 'json') return type === wanted || type === 'image';
  return as === null;
}
