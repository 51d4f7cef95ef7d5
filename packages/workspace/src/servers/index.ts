export { changeServer } from './change-server.ts';
export { type RunningTest, ServerTests } from './server-tests.ts';
