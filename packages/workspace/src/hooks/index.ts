export {
  describeAction,
  describeCondition,
  describeHook,
  describeMismatch,
  describeTrigger,
  describeVerdict,
  nameServers,
} from './describe-hook.ts';
export {
  type HookState,
  hookOutcomes,
  hookState,
  isInvalidHook,
} from './describe-hook-state.ts';
export { describeReasons, describeTest, describeTestEnd, type HookWords } from './describe-test.ts';
