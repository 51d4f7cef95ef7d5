export {
  type AdviceRenderer,
  describeFailure,
  type Failure,
  failureText,
  joinSentences,
  launchParts,
  noticeParts,
  renderAdvice,
} from './describe-failure.ts';
export { noticeText } from './notice-text.ts';
export { urgentFailure } from './urgent-failure.ts';
