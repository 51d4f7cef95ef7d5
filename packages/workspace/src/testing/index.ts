export { unusedServerView } from './unused-server-view.ts';
