export { PendingQuestions } from './pending-questions.ts';
export { QuestionQueue } from './question-queue.ts';
export { TrustQuestions } from './trust-questions.ts';
