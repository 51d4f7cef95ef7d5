export { PageNotifier } from './page-notifier.ts';
export { type ServedWorkbench, type ServeOptions, serveWorkbench } from './serve-workbench.ts';
export type { WorkbenchPorts } from './workbench-ports.ts';
