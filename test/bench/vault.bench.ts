import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchRow, median } from './bench-row.ts';
import { installPeers } from './install-peers.ts';
import { type PipedServer, startOnPipes } from './piped-server.ts';
import { generateVault, rareWord } from './vault-generate.ts';

const root = join(import.meta.dirname, '..', '..');
const program = join(root, 'servers', 'vault', 'dist', 'main.js');

/** Our vault server beside another and beside ripgrep, on vaults of 10,000 and 100,000 notes. */
export async function bench(): Promise<BenchRow[]> {
  execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'ignore' });
  const folder = installPeers('bench-vault-peers', {
    '@bitbonsai/mcpvault': '0.16.0',
    '@vscode/ripgrep': '1.18.0',
  });
  const modules = join(folder, 'node_modules');
  const peer = join(modules, '@bitbonsai', 'mcpvault', 'dist', 'server.js');
  const ripgrep = join(
    modules,
    '@vscode',
    `ripgrep-${process.platform}-${process.arch}`,
    'bin',
    'rg',
  );
  using cache = scratchFolder();
  const rows = [...(await rowsFor(10_000, { peer, ripgrep, cache: cache.path }))];
  rows.push(...(await rowsFor(100_000, { peer, ripgrep, cache: cache.path })));
  return rows;
}

interface Others {
  readonly peer: string;
  readonly ripgrep: string;
  readonly cache: string;
}

/** Words of every kind: in a few notes, in many, in none, and one that is in nearly all. */
const words = [rareWord, 'ba', 'lem', 'brul', 'pirfofes', 'sumcha', 'zzyzx', 'grun lem'];

async function rowsFor(count: number, { peer, ripgrep, cache }: Others): Promise<BenchRow[]> {
  const vault = vaultOf(count);
  const isLarge = count > 10_000;
  const start = () => startOnPipes([program, '--vault', vault], cache);
  const building = await buildIndex(start);
  await using ours = await start();
  const { ms: firstMs } = await ours.call('search_notes', { query: rareWord });
  await using theirs = await startOnPipes([peer, vault], cache);
  const { ms: theirFirst } = await theirs.call('search_notes', { query: rareWord, limit: 20 });

  const rounds = isLarge ? 1 : 3;
  const search = await searchTimes(ours, theirs, rounds, isLarge ? [rareWord] : words);
  const floor = searchWithRipgrep(ripgrep, vault);
  const name = (what: string) => `vault, ${count.toLocaleString('en')} notes: ${what}`;
  const row = { unit: 'ms', peerName: 'mcpvault' } as const;
  const memory = { ours: ours.residentMb(), peer: theirs.residentMb() };
  const limit = isLarge ? 50 : 10;
  const rows: BenchRow[] = [
    { ...row, what: name('search, p50'), ...search, ...atMost(search.ours, limit) },
    {
      ...row,
      what: name('search, p50'),
      ours: search.ours,
      peer: floor,
      peerName: 'ripgrep',
      ...shown,
    },
    { ...row, what: name('index built'), ours: building, peer: theirFirst, ...shown },
    {
      ...row,
      unit: 'MB',
      what: name('memory'),
      ...memory,
      ...(isLarge ? atMost(memory.ours, 250) : shown),
    },
  ];
  if (isLarge) return rows;
  const list = await listTimes(ours, theirs);
  const first = { ours: ours.startMs + firstMs, peer: theirs.startMs + theirFirst };
  const seen = await timeToSee(ours, vault);
  return [
    ...rows,
    { ...row, what: name('filtered list, p50'), ...list, ...atMost(list.ours, 20) },
    { ...row, what: name('start to first search'), ...first, ...atMost(first.ours, 600) },
    {
      ...row,
      what: name('start to first answer'),
      ...(await startTimes(start, peer, vault, cache)),
    },
    {
      ...row,
      what: name("another program's change found"),
      ours: seen,
      peer: theirFirst,
      ...atMost(seen, 1000),
    },
  ];
}

const shown = { target: 'to compare', pass: true };

function atMost(ours: number, most: number): { readonly target: string; readonly pass: boolean } {
  return { target: `<= ${most}`, pass: ours <= most };
}

/** Milliseconds from the first start on a vault to an index that holds all of it. */
async function buildIndex(start: () => Promise<PipedServer>): Promise<number> {
  const startedAt = performance.now();
  await using server = await start();
  for (;;) {
    const { answer } = await server.call('health_check', {});
    if ((answer as { index: { state: string } }).index.state === 'ready') break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return performance.now() - startedAt;
}

async function searchTimes(
  ours: PipedServer,
  theirs: PipedServer,
  rounds: number,
  theirWords: readonly string[],
): Promise<{ ours: number; peer: number }> {
  const times = { ours: [] as number[], peer: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    for (const query of words) {
      for (let again = 0; again < 3; again += 1) {
        times.ours.push((await ours.call('search_notes', { query, limit: 20 })).ms);
      }
      if (!theirWords.includes(query)) continue;
      times.peer.push((await theirs.call('search_notes', { query, limit: 20 })).ms);
    }
  }
  return { ours: median(times.ours), peer: median(times.peer) };
}

/** The peer has no filter; looking for the value in frontmatter is the nearest it offers. */
async function listTimes(ours: PipedServer, theirs: PipedServer) {
  const times = { ours: [] as number[], peer: [] as number[] };
  for (let round = 0; round < 5; round += 1) {
    const filter = 'status:pending';
    times.ours.push((await ours.call('list_notes', { filter, limit: 100 })).ms);
    const query = { query: 'pending', searchContent: false, searchFrontmatter: true, limit: 20 };
    times.peer.push((await theirs.call('search_notes', query)).ms);
  }
  return { ours: median(times.ours), peer: median(times.peer) };
}

async function startTimes(
  start: () => Promise<PipedServer>,
  peer: string,
  vault: string,
  cache: string,
) {
  const times = { ours: [] as number[], peer: [] as number[] };
  for (let round = 0; round < 7; round += 1) {
    {
      await using server = await start();
      times.ours.push(server.startMs);
    }
    await using other = await startOnPipes([peer, vault], cache);
    times.peer.push(other.startMs);
  }
  const ours = median(times.ours);
  return { ours, peer: median(times.peer), ...atMost(ours, 200) };
}

async function timeToSee(ours: PipedServer, vault: string): Promise<number> {
  const note = join(vault, 'Written meanwhile.md');
  try {
    const times: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const query = `meanwhile${round}${process.pid}`;
      const writtenAt = performance.now();
      writeFileSync(note, query);
      for (;;) {
        const { answer } = await ours.call('search_notes', { query });
        if ((answer as { notes: unknown[] }).notes.length > 0) break;
      }
      times.push(performance.now() - writtenAt);
    }
    return median(times);
  } finally {
    rmSync(note, { force: true });
  }
}

function searchWithRipgrep(ripgrep: string, vault: string): number {
  const times = words.slice(0, 5).map((word) => {
    const startedAt = performance.now();
    spawnSync(ripgrep, ['-l', '-i', '-F', '-e', word, vault], { stdio: 'ignore' });
    return performance.now() - startedAt;
  });
  return median(times);
}

/** The generated vault, kept for the next run. */
function vaultOf(count: number): string {
  const folder = join(root, '.cache', 'bench-vaults', String(count));
  if (existsSync(folder)) return folder;
  rmSync(`${folder}.part`, { recursive: true, force: true });
  mkdirSync(`${folder}.part`, { recursive: true });
  generateVault(`${folder}.part`, count);
  renameSync(`${folder}.part`, folder);
  return folder;
}

function scratchFolder() {
  const path = mkdtempSync(join(tmpdir(), 'errand-bench-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
