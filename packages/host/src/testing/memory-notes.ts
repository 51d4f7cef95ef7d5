import { applyEdits } from '@errand/document';
import { HostError } from '../host-error.ts';
import type { NoteStore } from '../note-store.ts';
import type { AttachmentStore } from '../notes/attachment-store.ts';

/** Notes in memory; a test changes the texts as another program would. */
export class MemoryNotes implements NoteStore {
  readonly texts: Map<string, string>;
  edits = 0;

  constructor(texts: Readonly<Record<string, string>>) {
    this.texts = new Map(Object.entries(texts));
  }

  async read(path: string): Promise<string> {
    const text = this.texts.get(path);
    if (text === undefined) throw new HostError('note_unreadable', `There is no ${path}.`);
    return text;
  }

  async ensureWritable(): Promise<void> {}

  async edit(path: string, change: Parameters<NoteStore['edit']>[1]): Promise<boolean> {
    const text = await this.read(path);
    const edited = applyEdits(text, change(text));
    if (edited === text) return false;
    this.texts.set(path, edited);
    this.edits += 1;
    return true;
  }
}

/** Attachments in memory, named by their number. */
export class MemoryAttachments implements AttachmentStore {
  readonly files: Uint8Array[] = [];

  async save(content: Uint8Array, extension: string): Promise<string> {
    this.files.push(content);
    return `Attachments/${this.files.length}.${extension}`;
  }
}
