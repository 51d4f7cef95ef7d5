import { requestAt, scan } from '@errand/document';
import type { Host, NoteStore } from '@errand/host';
import type { NoteRuns } from '@errand/workspace/runs';
import { type KnownTools, suggest } from '@errand/workspace/suggestions';
import { Hono } from 'hono';
import { z } from 'zod';
import { answer, done } from '../http/answer.ts';
import { validBody, validQuery } from '../http/validate.ts';
import { bindSchema, decideSchema, type OpenNotes, saveSchema } from './open-notes.ts';
import { runBlocks, runSchema } from './run-blocks.ts';
import type { NoteSearch } from './search-notes.ts';
import { serveFile } from './serve-file.ts';
import { notePath, vaultPath } from './vault-path.ts';
import type { VaultWatch } from './vault-watch.ts';

export interface NoteRoutesPorts {
  readonly folder: string;
  readonly host: Pick<Host, 'servers'>;
  readonly notes: NoteStore;
  readonly watch: VaultWatch;
  readonly search: NoteSearch;
  readonly tools: KnownTools;
  readonly openNotes: OpenNotes;
  readonly runs: NoteRuns;
}

/** The routes of the notes and files of the vault. */
export function noteRoutes(ports: NoteRoutesPorts) {
  const { folder, watch, search, openNotes, runs } = ports;
  const asked = z.string('Name a file of the vault, as ?path=Folder/Name.md');
  const atNote = validQuery(z.object({ path: asked.transform((path) => notePath(folder, path)) }));
  const atFile = validQuery(z.object({ path: asked.transform((path) => vaultPath(folder, path)) }));
  return new Hono()
    .get('/notes', async (context) => {
      const { notes, isCut } = await watch.tree;
      return answer(context, { notes, isCut });
    })
    .get('/notes/search', validQuery(searchSchema), async (context) => {
      const { notes } = await watch.tree;
      const { query } = context.req.valid('query');
      return answer(context, await search.find(query, notes, context.req.raw.signal));
    })
    .get('/note', atNote, async (context) => {
      const { path } = context.req.valid('query');
      return answer(context, await openNotes.read(path, context.req.raw.signal));
    })
    .put('/note', atNote, validBody(saveSchema), async (context) => {
      const { path } = context.req.valid('query');
      const draft = context.req.valid('json');
      return answer(context, await openNotes.save(path, draft, context.req.raw.signal));
    })
    .post('/note/check', atNote, validBody(checkSchema), (context) => {
      const { path } = context.req.valid('query');
      return answer(context, openNotes.check(path, context.req.valid('json').text));
    })
    .post('/note/suggest', atNote, validBody(suggestSchema), (context) => {
      const { path } = context.req.valid('query');
      return answer(context, suggestIn(ports, path, context.req.valid('json')));
    })
    .post('/note/run', atNote, validBody(runSchema), async (context) => {
      const { path } = context.req.valid('query');
      const choice = context.req.valid('json');
      return answer(context, await runBlocks(path, choice, ports, context.req.raw.signal), 202);
    })
    .post('/note/cancel', atNote, validBody(cancelSchema), (context) => {
      runs.cancel(context.req.valid('query').path, context.req.valid('json').keys);
      return answer(context, done);
    })
    .post('/note/result', atNote, validBody(decideSchema), async (context) => {
      const { path } = context.req.valid('query');
      const decision = context.req.valid('json');
      return answer(context, await openNotes.decide(path, decision, context.req.raw.signal));
    })
    .post('/note/bind', atNote, validBody(bindSchema), async (context) => {
      const { path } = context.req.valid('query');
      const binding = context.req.valid('json');
      return answer(context, await openNotes.bind(path, binding, context.req.raw.signal));
    })
    .get('/file', atFile, (context) => serveFile(folder, context.req.valid('query').path));
}

function suggestIn(
  { host, tools }: NoteRoutesPorts,
  path: string,
  { text, at }: z.output<typeof suggestSchema>,
) {
  const note = scan(text);
  const place = requestAt(note, Math.min(at, text.length));
  if (place === null) return { from: at, suggestions: [] };
  const known = (serverId: string) => tools.of(serverId);
  const context = { ...host.servers.noteContext(path), tools: known };
  return { from: place.from, suggestions: suggest(note, place, context) };
}

const searchSchema = z.object({ query: z.string().transform((text) => text.slice(0, 500)) });
const checkSchema = z.strictObject({ text: z.string() });
const suggestSchema = z.strictObject({
  text: z.string(),
  /** The offset of the cursor in the text. */
  at: z.int().min(0),
});
/** Without keys, everything that runs in the note. */
const cancelSchema = z.strictObject({ keys: runSchema.shape.keys });
