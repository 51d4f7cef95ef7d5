export type { AskModel, ModelAnswer, ModelQuestion } from './decide-mail.ts';
export type { ApprovedDraft } from './draft-note.ts';
export {
  type DraftMistake,
  type MailBoard,
  type MailDecision,
  type MailDetails,
  type MailDraft,
  type MailEvent,
  type MailFolder,
  type MailItem,
  type MailLogEntry,
  type MailReasons,
  type MailRound,
  type MailRuleName,
  type MailroomState,
  type MailState,
  mailDecisions,
  mailFolders,
  type OutgoingMail,
  type ReceivedMail,
  type Redaction,
  type WrittenDraft,
} from './mail-board.ts';
export type { DryDecision, MailMethods } from './mail-methods.ts';
export { MailService } from './mail-service.ts';
export type { Mailroom } from './mailroom.ts';
export { MailroomError, type MailroomErrorCode } from './mailroom-error.ts';
export { MCPClient } from './mcp-client.ts';
export { type OpenMailroomPorts, openMailroom } from './open-mailroom.ts';
export {
  type SharedMailbox,
  type SharedStart,
  sharedMailbox,
  sharedPorts,
} from './shared-mailbox.ts';
