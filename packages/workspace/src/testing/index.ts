export { unusedServer } from './unused-server.ts';
