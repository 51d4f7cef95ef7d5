export { Activity, type ActivityEvent, type ActivitySnapshot } from './activity.ts';
export { blockOfCall } from './block-of-call.ts';
export { type ActiveCall, callStatusLabels, describeCall, type PastCall } from './call-view.ts';
export { type HistoryFilter, historyPage, readHistory, readSince } from './history.ts';
export { describeStatus, type StatusPart } from './status-line.ts';
