export { Approvals, type AskPerson, type CallVerdict } from './approvals.ts';
export { describeAnswering } from './describe-answering.ts';
export { describeAssistant } from './describe-assistant.ts';
export { NoteAnswers } from './note-answers.ts';
export { type CursorPosition, planQuestion, type QuestionPlan } from './plan-question.ts';
