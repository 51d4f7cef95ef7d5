import type { ConversationEvent } from '@errand/assistant';

/** What an assistant does at the moment, in a few words; nothing when an event changes nothing about that. */
export function describeAnswering(assistant: string, event: ConversationEvent): string | undefined {
  switch (event.kind) {
    case 'round-started':
    case 'text-added':
    case 'call-ended':
      return `${assistant} is answering…`;
    case 'call-asked':
      return `${assistant} wants to call ${event.call.server ?? ''} ${event.call.tool}…`;
    case 'call-started':
      return `${assistant} calls ${event.call.server} ${event.call.tool}…`;
    case 'tools-searched':
      return `${assistant} looks for tools…`;
    default:
      return undefined;
  }
}
