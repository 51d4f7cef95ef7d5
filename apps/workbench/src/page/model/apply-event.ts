import type { ActivitySnapshot, WorkbenchEvent, WorkbenchState } from '../../contract.ts';

/** The state after an event. Events about notes leave it as it is: whoever shows a note follows them. */
export function applyEvent(state: WorkbenchState, event: WorkbenchEvent): WorkbenchState {
  switch (event.kind) {
    case 'servers-changed':
      return { ...state, servers: event.servers };
    case 'server-changed':
      return { ...state, servers: put(state.servers, event.server) };
    case 'trust-changed':
      return { ...state, trust: event.trust };
    case 'call-changed':
    case 'call-ended':
    case 'calls-stopped':
    case 'session-changed':
      return { ...state, calls: applyToCalls(state.calls, event) };
    case 'assistants-changed':
      return { ...state, assistant: { ...state.assistant, assistants: event.assistants } };
    case 'conversation-changed': {
      const conversations = put(state.assistant.conversations, event.state);
      return { ...state, assistant: { ...state.assistant, conversations } };
    }
    case 'mail-changed':
      return { ...state, mail: event.counts };
    case 'settings-changed':
      return { ...state, settings: event.settings };
    case 'question-asked':
      return { ...state, questions: put(state.questions, event.question) };
    case 'question-closed':
      return { ...state, questions: state.questions.filter(({ id }) => id !== event.id) };
    default:
      return state;
  }
}

type CallEvent = Extract<
  WorkbenchEvent,
  { kind: 'call-changed' | 'call-ended' | 'calls-stopped' | 'session-changed' }
>;

function applyToCalls(calls: ActivitySnapshot, event: CallEvent): ActivitySnapshot {
  switch (event.kind) {
    case 'call-changed':
      return { ...calls, active: put(calls.active, event.call).toSorted(byStatus) };
    case 'call-ended':
      return { ...calls, active: calls.active.filter(({ id }) => id !== event.call.id) };
    case 'calls-stopped':
      return { ...calls, isStopped: event.isStopped };
    case 'session-changed':
      return { ...calls, sessions: put(calls.sessions, event.session) };
  }
}

/** Running calls first, otherwise in the given order. */
function byStatus(a: { status: string }, b: { status: string }): number {
  return Number(b.status === 'executing') - Number(a.status === 'executing');
}

function put<Item extends { readonly id: string }>(
  items: readonly Item[],
  item: Item,
): readonly Item[] {
  const index = items.findIndex(({ id }) => id === item.id);
  return index === -1 ? [...items, item] : items.with(index, item);
}
