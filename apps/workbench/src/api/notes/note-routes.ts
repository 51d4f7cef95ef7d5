import { requestAt, scan } from '@errand/document';
import type { Host, NoteStore } from '@errand/host';
import type { NoteRuns } from '@errand/workspace/runs';
import { type KnownTools, suggest } from '@errand/workspace/suggestions';
import { Hono } from 'hono';
import { z } from 'zod';
import type {
  BindSection,
  CancelRun,
  CheckNote,
  DecideResult,
  NoteList,
  RunNote,
  SaveNote,
  SuggestAt,
  Suggestions,
} from '../../contract.ts';
import { done } from '../http/done.ts';
import { readBody } from '../http/read-body.ts';
import type { NoteDesk } from './note-desk.ts';
import { runBlocks } from './run-blocks.ts';
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
  readonly desk: NoteDesk;
  readonly runs: NoteRuns;
}

/** Everything below /api that is about notes and files of the vault. */
export function noteRoutes(ports: NoteRoutesPorts): Hono {
  const { folder, watch, search, desk, runs } = ports;
  const routes = new Hono();
  const pathOf = (asked: string | undefined) => notePath(folder, asked);
  routes.get('/notes', async (context) => {
    const { notes, isCut } = await watch.tree;
    const list: NoteList = { notes, isCut };
    return context.json(list);
  });
  routes.get('/notes/search', async (context) => {
    const { notes } = await watch.tree;
    const query = context.req.query('query') ?? '';
    return context.json(await search.find(query.slice(0, 500), notes, context.req.raw.signal));
  });
  routes.get('/note', async (context) => {
    const path = await pathOf(context.req.query('path'));
    return context.json(await desk.read(path, context.req.raw.signal));
  });
  routes.put('/note', async (context) => {
    const path = await pathOf(context.req.query('path'));
    const body = await readBody(context, saveSchema);
    return context.json(await desk.save(path, body, context.req.raw.signal));
  });
  routes.post('/note/check', async (context) => {
    const path = await pathOf(context.req.query('path'));
    return context.json(desk.check(path, (await readBody(context, checkSchema)).text));
  });
  routes.post('/note/suggest', async (context) => {
    const path = await pathOf(context.req.query('path'));
    return context.json(suggestIn(ports, path, await readBody(context, suggestSchema)));
  });
  routes.post('/note/run', async (context) => {
    const path = await pathOf(context.req.query('path'));
    const wish = await readBody(context, runSchema);
    return context.json(await runBlocks(path, wish, ports, context.req.raw.signal), 202);
  });
  routes.post('/note/cancel', async (context) => {
    const path = await pathOf(context.req.query('path'));
    runs.cancel(path, (await readBody(context, cancelSchema)).keys);
    return context.json(done);
  });
  routes.post('/note/result', async (context) => {
    const path = await pathOf(context.req.query('path'));
    const body = await readBody(context, decideSchema);
    return context.json(await desk.decide(path, body, context.req.raw.signal));
  });
  routes.post('/note/bind', async (context) => {
    const path = await pathOf(context.req.query('path'));
    const body = await readBody(context, bindSchema);
    return context.json(await desk.bind(path, body, context.req.raw.signal));
  });
  routes.get('/file', async (context) => {
    return serveFile(folder, await vaultPath(folder, context.req.query('path')));
  });
  return routes;
}

function suggestIn(
  { host, tools }: NoteRoutesPorts,
  path: string,
  { text, at }: SuggestAt,
): Suggestions {
  const note = scan(text);
  const place = requestAt(note, Math.min(at, text.length));
  if (place === null) return { from: at, suggestions: [] };
  const known = (serverId: string) => tools.of(serverId);
  const context = { ...host.servers.noteContext(path), tools: known };
  return { from: place.from, suggestions: suggest(note, place, context) };
}

const keys = z.array(z.string()).max(10_000).exactOptional();
const etag = z.string();
const saveSchema = z.strictObject({ text: z.string(), etag }) satisfies z.ZodType<SaveNote>;
const checkSchema = z.strictObject({ text: z.string() }) satisfies z.ZodType<CheckNote>;
const suggestSchema = z.strictObject({
  text: z.string(),
  at: z.int().min(0),
}) satisfies z.ZodType<SuggestAt>;
const runSchema = z.strictObject({
  keys,
  stale: z.boolean().exactOptional(),
  force: z.boolean().exactOptional(),
}) satisfies z.ZodType<RunNote>;
const cancelSchema = z.strictObject({ keys }) satisfies z.ZodType<CancelRun>;
const decideSchema = z.strictObject({
  key: z.string(),
  decision: z.enum(['keep', 'remove']),
  etag,
}) satisfies z.ZodType<DecideResult>;
const bindSchema = z.strictObject({
  line: z.int().min(0),
  server: z.string().nullable(),
  etag,
}) satisfies z.ZodType<BindSection>;
