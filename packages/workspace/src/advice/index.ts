export {
  type AdviceRenderer,
  describeFailure,
  type Failure,
  failureText,
  joinSentences,
  noticeParts,
  renderAdvice,
} from './describe-failure.ts';
