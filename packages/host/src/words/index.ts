export { duration } from '@errand/document/display';
export {
  describeServerState,
  type ServerStanding,
  type ServerWords,
  stepInWords,
  toolCount,
} from './describe-server-state.ts';
export { type FaceWords, inFaceWords } from './in-face-words.ts';
export { isSecretName } from './is-secret-name.ts';
export { foreignLines, foreignName, oneLine, quoted } from './one-line.ts';
export { sessionName } from './session-name.ts';
export { ago, countdown } from './times.ts';
export { webAddress } from './web-address.ts';
export { whyAsked } from './why-asked.ts';
