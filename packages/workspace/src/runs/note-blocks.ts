import {
  fenceFor,
  findToolBlocks,
  type NoteContext,
  type NoteScan,
  scan,
  type ToolBlock,
} from '@errand/document';
import { type KeyedBlock, keyBlocks } from './key-blocks.ts';
import { NoteScans } from './note-scans.ts';

/** Reads the requests of notes; many cards ask about the same text, and it is read once. */
export class NoteBlocks {
  readonly #context: (path: string) => NoteContext;
  readonly #scans: NoteScans;
  readonly #read = new Map<string, ReadNote>();

  constructor(context: (path: string) => NoteContext, scans = new NoteScans()) {
    this.#context = context;
    this.#scans = scans;
  }

  /** The requests of a note with this text, in order. */
  of(path: string, text: string): readonly KeyedBlock[] {
    const context = this.#context(path);
    const { servers } = context;
    const known = this.#read.get(path);
    if (known?.text === text && known.servers === servers) return known.keyed;
    const previous = known?.servers === servers ? known.keyed.map(({ block }) => block) : [];
    const note = this.#scans.of(path, text);
    const keyed = keyBlocks(findToolBlocks(note, context, previous));
    this.#read.set(path, { text, servers, keyed });
    return keyed;
  }

  /** The scan of a note with this text. */
  scan(path: string, text: string): NoteScan {
    return this.#scans.of(path, text);
  }

  /** A request by itself, of which only the language and the body are known. */
  alone(language: string, body: string): ToolBlock | undefined {
    const fence = fenceFor(body);
    const note = scan(`${fence}${language}\n${body}\n${fence}\n`);
    return findToolBlocks(note, this.#context(''))[0];
  }

  forget(path: string): void {
    this.#scans.forget(path);
    this.#read.delete(path);
  }
}

interface ReadNote {
  readonly text: string;
  /** Another list whenever the settings are read anew. */
  readonly servers: NoteContext['servers'];
  readonly keyed: readonly KeyedBlock[];
}
