export { Approvals, type AskPerson, type CallVerdict } from './approvals.ts';
export { describeAssistant } from './describe-assistant.ts';
