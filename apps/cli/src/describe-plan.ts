import type { NotePlan } from '@errand/host';
import { oneLine } from '@errand/host';
import { advisedText } from './advice.ts';

/** What a run would call, as a person reads it. */
export function describePlan({ note, blocks }: NotePlan): string {
  if (blocks.length === 0) return `${note}: no tool blocks to run.\n`;
  const lines = blocks.map(({ line, server, language, tool, params, error }) => {
    const call = oneLine([server ?? language, tool].filter(Boolean).join(' '));
    return error === null
      ? `  line ${line}  would call ${call} with ${JSON.stringify(params)}\n`
      : advisedText(
          { ...error, message: `line ${line}  would not call ${call}: ${error.message}` },
          {},
          '  ',
        );
  });
  return `${note}\n${lines.join('')}Nothing was called.\n`;
}
