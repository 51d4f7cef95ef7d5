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
