import type { QuestionQueue } from '@errand/workspace/questions';
import type { ExtensionContext } from 'vscode';
import type { Notices } from './notices.ts';
import type { Vaults } from './vaults.ts';

/** What every part of the extension works with. */
export interface OpenExtension {
  /** What is registered here is undone when the extension is deactivated. */
  readonly context: ExtensionContext;
  readonly vaults: Vaults;
  readonly notices: Notices;
  /** One dialog at a time, whatever it asks. */
  readonly questions: QuestionQueue;
}
