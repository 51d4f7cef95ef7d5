export {
  type AdviceRenderer,
  describeFailure,
  type Failure,
  type FailureDescription,
  failureText,
  joinSentences,
  noticeParts,
  renderAdvice,
} from './describe-failure.ts';
