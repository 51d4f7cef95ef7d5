export { countOutcomes, isAlreadyDone, outcomeLabel, outcomeLabels } from './describe-outcomes.ts';
export { chooseKeyed, type KeyedBlock, keyBlocks } from './key-blocks.ts';
export type { NoteRunEvent, RunningBlock } from './note-run-event.ts';
export { NoteRuns } from './note-runs.ts';
export { renamedPath } from './renamed-path.ts';
