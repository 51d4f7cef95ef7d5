import type { Activity } from '@errand/workspace/activity';
import type { NoteAnswers } from '@errand/workspace/conversations';
import type { QuestionQueue, TrustQuestions } from '@errand/workspace/questions';
import type { NoteBlocks, NoteRuns } from '@errand/workspace/runs';
import type { Plugin, TFile } from 'obsidian';
import type { OpenVault } from '../open-vault.ts';
import type { NoteChanges } from './note-changes.ts';

/** What every part of the plugin works with while a vault is open. */
export interface OpenPlugin {
  /** What is registered here is undone when the plugin is disabled. */
  readonly plugin: Plugin;
  readonly vault: OpenVault;
  readonly activity: Activity;
  readonly runs: NoteRuns;
  readonly answers: NoteAnswers<TFile>;
  readonly blocks: NoteBlocks;
  readonly changes: NoteChanges;
  /** One dialog at a time, whatever it asks. */
  readonly questions: QuestionQueue;
  readonly trustQuestions: TrustQuestions;
}
