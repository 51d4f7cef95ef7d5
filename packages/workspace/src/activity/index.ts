export { Activity, type ActivityEvent, type ActivitySnapshot } from './activity.ts';
export { type ActiveCall, describeCall, type PastCall } from './call-view.ts';
export { findLogged, type HistoryFilter, historyPage, readHistory } from './history.ts';
