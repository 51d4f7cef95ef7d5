import { randomUUID } from 'node:crypto';
import type { FrontmatterValues } from '@errand/document/frontmatter';
import { type MailFolder, mailFolders } from './mail-board.ts';
import { type MCPClient, ToolFailure } from './mcp-client.ts';
import type { MailNote, NoteHead } from './note-head.ts';
import type { NoteSource } from './note-source.ts';

/** The notes of the mailroom as the vault server shows them, for a program that has no vault of its own. */
export class VaultNotes implements NoteSource {
  readonly #vault: MCPClient;
  /** Finished notes, of which there are many and which hardly change. */
  readonly #done = new Map<string, NoteHead>();

  constructor(vault: MCPClient) {
    this.#vault = vault;
  }

  async scan(signal?: AbortSignal): Promise<readonly NoteHead[]> {
    const heads: NoteHead[] = [];
    for (const folder of mailFolders) {
      const paths = await this.#list(folder, signal);
      if (folder === 'Done') {
        const there = new Set(paths);
        for (const path of this.#done.keys()) if (!there.has(path)) this.#done.delete(path);
      }
      for (const path of paths) {
        signal?.throwIfAborted();
        const head = this.#done.get(path) ?? (await this.read(path));
        if (head !== undefined) heads.push(head);
      }
    }
    return heads;
  }

  async read(path: string): Promise<MailNote | undefined> {
    const folder = folderOf(path);
    if (folder === undefined) return undefined;
    // One file has one path here: a move that was cut off is the vault server's to finish.
    const place = { path, folder, inode: path, changedAt: 0 };
    try {
      const { frontmatter: values, body, etag } = await this.#whole(path);
      const note: MailNote = { ...place, values, body, etag };
      if (folder === 'Done') {
        const { body: _, etag: __, ...head } = note;
        this.#done.set(path, head);
      }
      return note;
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
      if (error.code === 'not_found') return undefined;
      if (error.code !== 'parse_error') throw error;
      return { ...place, values: {}, body: '', etag: '', problem: error.message };
    }
  }

  async #whole(path: string): Promise<ReadNote> {
    const first = await this.#call<ReadNote>('read_note', { path, max_characters: pageSize });
    let { body } = first;
    let cursor = first.next_cursor;
    while (cursor !== undefined) {
      const next = await this.#call<ReadNote>('read_note', {
        path,
        max_characters: pageSize,
        cursor,
      });
      body += next.body;
      cursor = next.next_cursor;
    }
    return { ...first, body };
  }

  /** Notes of a folder, and of those below `Done`. */
  async #list(folder: MailFolder, signal?: AbortSignal): Promise<readonly string[]> {
    const paths: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const asked = { directory: folder, recursive: folder === 'Done', limit: 1000 };
      const page: ListedNotes = await this.#call<ListedNotes>(
        'list_notes',
        { ...asked, ...(cursor !== undefined && { cursor }) },
        signal,
      ).catch((error) => {
        if (error instanceof ToolFailure && error.code === 'not_found') return { notes: [] };
        throw error;
      });
      paths.push(...page.notes.map(({ path }) => path));
      cursor = page.next_cursor;
      if (cursor === undefined) return paths.filter((path) => path.split('/').length <= 3);
    }
  }

  /** Each call counts by itself: a folder may have more notes than one session may call. */
  #call<Result extends object>(
    tool: string,
    parameters: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const session = `mail:look:${randomUUID()}`;
    return this.#vault.callTool<Result>(tool, parameters, { session, ...(signal && { signal }) });
  }
}

const pageSize = 500_000;

interface ReadNote {
  readonly frontmatter: FrontmatterValues;
  readonly body: string;
  readonly etag: string;
  readonly next_cursor?: string;
}

interface ListedNotes {
  readonly notes: readonly { readonly path: string }[];
  readonly next_cursor?: string;
}

function folderOf(path: string): MailFolder | undefined {
  return mailFolders.find((name) => name === path.split('/')[0]);
}
