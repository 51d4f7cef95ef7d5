export { type FaceWords, inFaceWords } from './in-face-words.ts';
export { sessionName } from './session-name.ts';
export { ago, countdown } from './times.ts';
export { whyAsked } from './why-asked.ts';
