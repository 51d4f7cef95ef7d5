export { approvalReasons } from './approval-reasons.ts';
export { describeProgress, progressShare } from './describe-progress.ts';
export { ago, countdown } from './relative-time.ts';
export { sessionName } from './session-name.ts';
export { firstLine, shorten } from './shorten.ts';
