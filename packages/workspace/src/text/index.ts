export { approvalReasons } from './approval-reasons.ts';
export { ago, countdown } from './relative-time.ts';
export { sessionName } from './session-name.ts';
