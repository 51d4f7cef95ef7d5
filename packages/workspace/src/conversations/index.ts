export { Approvals, type AskPerson, type CallVerdict } from './approvals.ts';
