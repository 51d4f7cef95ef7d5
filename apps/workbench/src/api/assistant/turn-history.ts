import type { Message } from '@errand/assistant';
import type { TurnPart as NotePart } from '@errand/document';
import type { Turn, TurnCall } from '../../contract.ts';

/** As much of an old answer as a model needs to go on. */
const mostCharacters = 20_000;

/** What was said so far, for a model. A question that got no word of an answer is left out. */
export function turnHistory(turns: readonly Turn[]): readonly Message[] {
  return turns.flatMap(({ question, parts }): Message[] => {
    const said = parts.flatMap((part): NotePart[] => {
      if (part.kind === 'text') return part.text.trim() === '' ? [] : [part];
      return part.kind === 'call' ? calledPart(part.call) : [];
    });
    if (said.length === 0) return [];
    return [
      { role: 'user', text: question },
      { role: 'assistant', parts: said },
    ];
  });
}

function calledPart({ server, tool, params, status, content, error }: TurnCall): NotePart[] {
  if (server === null) return [];
  const isGood = status === 'success';
  const text = isGood ? content?.text : (error?.message ?? 'It was stopped.');
  const answer = (text ?? '').slice(0, mostCharacters).toWellFormed();
  return [
    {
      kind: 'call',
      server,
      tool,
      parameters: params,
      status: isGood ? 'success' : 'error',
      answer,
    },
  ];
}
