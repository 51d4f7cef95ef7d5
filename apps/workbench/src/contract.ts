// Types that page and API share: the entities in answers and events, and the events themselves. Requests, and which
// route answers with what, are inferred from the routes: see `Api` in api/api-routes.ts.

export type * from './contract/assistant.ts';
export type * from './contract/call.ts';
export type * from './contract/event.ts';
export type * from './contract/failure.ts';
export type * from './contract/hook.ts';
export type * from './contract/mail.ts';
export type * from './contract/note.ts';
export type * from './contract/server.ts';
export type * from './contract/settings.ts';
export type * from './contract/state.ts';
export type * from './contract/time.ts';
export type * from './contract/tool.ts';
export type * from './contract/trust.ts';
