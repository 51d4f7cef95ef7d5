import type { Conversation, ConversationEvent, Turn, TurnPart } from '../../../contract.ts';

/** Applies an event to a conversation; a repeated event changes nothing. */
export function applyTurnEvent(before: Conversation, event: ConversationEvent): Conversation {
  switch (event.kind) {
    case 'turn-started': {
      const others = before.turns.filter(({ id }) => id !== event.replaces && id !== event.turn.id);
      const known = before.turns.find(({ id }) => id === event.turn.id);
      return { ...before, turns: [...others, known ?? event.turn], openQuestion: null };
    }
    case 'turn-changed':
      return changeTurn(before, event.turn, (turn) => ({ ...turn, ...event.change }));
    case 'part-changed':
      return changeTurn(before, event.turn, (turn) => withPart(turn, event.index, event.part));
    case 'text-added':
      return changeTurn(before, event.turn, (turn) => addText(turn, event));
    case 'conversation-cleared':
      return { ...before, turns: [], openQuestion: null };
  }
}

function changeTurn(before: Conversation, id: string, change: (turn: Turn) => Turn): Conversation {
  const turns = before.turns.map((turn) => (turn.id === id ? change(turn) : turn));
  return { ...before, turns };
}

function withPart(turn: Turn, index: number, part: TurnPart): Turn {
  const { parts } = turn;
  return { ...turn, parts: index < parts.length ? parts.with(index, part) : [...parts, part] };
}

/** Text only grows: a repeated event must not remove text. */
function addText(
  turn: Turn,
  { index, at, text }: Extract<ConversationEvent, { readonly kind: 'text-added' }>,
): Turn {
  const part = turn.parts[index];
  const there = part?.kind === 'text' ? part.text : '';
  if (at + text.length <= there.length) return turn;
  return withPart(turn, index, { kind: 'text', text: there.slice(0, at) + text });
}
