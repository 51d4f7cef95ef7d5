import { isolateHistory } from '@codemirror/commands';
import { EditorState } from '@codemirror/state';

/** Who a change of an editor comes from, as it is said to the editor. */
export const origin = 'errand';

let writing = 0;

/** Makes the changes of editors within it steps of undo of their own, whether or not the app passes the origin on. */
export function asOwnStep(change: () => void): void {
  writing += 1;
  try {
    change();
  } finally {
    writing -= 1;
  }
}

/** Makes each of our changes a step of undo of its own, whatever is typed right before and after it. */
export const undoSteps = EditorState.transactionExtender.of((transaction) =>
  writing > 0 || transaction.isUserEvent(origin)
    ? { annotations: isolateHistory.of('full') }
    : null,
);
