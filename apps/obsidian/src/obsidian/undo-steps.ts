import { isolateHistory } from '@codemirror/commands';
import { EditorState } from '@codemirror/state';

/** Who a change of an editor comes from, as it is said to the editor. */
export const origin = 'errand';

/** Makes each of our changes a step of undo of its own, whatever is typed right before and after it. */
export const undoSteps = EditorState.transactionExtender.of((transaction) =>
  transaction.isUserEvent(origin) ? { annotations: isolateHistory.of('full') } : null,
);
