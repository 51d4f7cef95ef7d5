import type { ToolBlock } from '@errand/document';
import type { CallLog } from '../call-log.ts';
import type { Host } from '../create-host.ts';
import type { NoteStore } from '../note-store.ts';
import type { AttachmentStore } from './attachment-store.ts';
import type { BlockEvent } from './note-run.ts';

/** What a run of a note works with. */
export interface RunNotePorts {
  readonly host: Pick<Host, 'execute' | 'servers' | 'sessions'>;
  readonly notes: NoteStore;
  readonly attachments: AttachmentStore;
  readonly log: Pick<CallLog, 'keepResult'>;
}

export interface RunNoteOptions {
  /** Ends the whole run. */
  readonly signal?: AbortSignal;
  /** Ends the call of one block and leaves the others running. */
  readonly signalOf?: (block: ToolBlock) => AbortSignal | undefined;
  readonly onEvent?: (event: BlockEvent) => void;
}
