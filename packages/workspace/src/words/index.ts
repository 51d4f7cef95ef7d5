export { sessionName } from './session-name.ts';
export { ago, countdown } from './times.ts';
export { whyAsked } from './why-asked.ts';
