export { chooseAssistant } from './model/choose-assistant.ts';
export type { ModelFailureCode } from './model/model-failure.ts';
export { type ModelPorts, type OpenModel, openModel } from './model/open-model.ts';
export {
  answerInNote,
  type NoteAnswer,
  type NoteAnswerPorts,
  type NoteQuestion,
} from './note/answer-in-note.ts';
export type { ApprovalQuestion, ApprovalReason, Approver } from './turn/approval.ts';
export { type AskedText, askForText, type TextQuestion } from './turn/ask-for-text.ts';
export type { AskedCall, ConversationEvent, TurnEnd } from './turn/conversation-event.ts';
export {
  type ConverseOptions,
  type ConversePorts,
  converse,
  type TurnRequest,
} from './turn/converse.ts';
export { dataFence, explainFence } from './turn/data-fence.ts';
export type { Message } from './turn/messages.ts';
