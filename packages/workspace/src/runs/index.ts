export { blockAtLine } from './block-at-line.ts';
export { countOutcomes, isAlreadyDone, outcomeLabel, outcomeLabels } from './describe-outcomes.ts';
export { describeRunEnd, type RunEndWords } from './describe-run-end.ts';
export { chooseKeyed, type KeyedBlock, keyBlocks } from './key-blocks.ts';
export { NoteBlocks } from './note-blocks.ts';
export type { NoteRunEvent, RunningBlock } from './note-run-event.ts';
export { NoteRuns } from './note-runs.ts';
export { NoteScans } from './note-scans.ts';
export { renamedPath } from './renamed-path.ts';
export {
  type ChosenBlocks,
  chooseInNote,
  type RunBlocksPorts,
  runChosen,
  runOneBlock,
  serversOf,
} from './run-blocks.ts';
