import { findToolBlocks, matchDocumentPath, relocateBlocks, scan } from '@errand/document';
import { runNote } from '@errand/host';
import { localServer, MemoryAttachments, MemoryNotes, memoryHost } from '@errand/host/testing';
import { type BenchRow, median } from './bench-row.ts';

/** Work on large inputs beside the same work on inputs of half the size, which takes half as long. */
export async function bench(): Promise<BenchRow[]> {
  return [
    compare('scan of 16 MB with CR as line end', 16_000_000, (size) => {
      const text = 'Some words.\r'.repeat(size / 12);
      return () => scan(text);
    }),
    compare('finding 20,000 equal blocks in a changed note', 20_000, (count) => {
      const text = '```a\ntool: echo\n```\n\n'.repeat(count);
      return () => {
        const before = read(text);
        const relocate = relocateBlocks(before, read(`${text}New text.\n`));
        for (const block of before.blocks) relocate(block);
      };
    }),
    await compareRuns('a run of 1,000 blocks that act, one after the other', 1_000),
    compare('a documentPath of 2,000,000 stars', 2_000_000, (count) => {
      const glob = '*a'.repeat(count);
      return () => matchDocumentPath(glob, 'a'.repeat(200));
    }),
  ];
}

function read(text: string) {
  const server = { id: 'a', name: 'a', enabled: true, sectionBindings: [] };
  const note = scan(text);
  return {
    scan: note,
    blocks: findToolBlocks(note, { servers: [server], brokenBindings: [] }),
  };
}

/** Runs blocks whose tool may act, in a note in memory. */
async function compareRuns(what: string, count: number): Promise<BenchRow> {
  await runBlocks(count / 2);
  const peer = await runBlocks(count / 2);
  const ours = await runBlocks(count);
  return { what, ...rated(ours, peer) };
}

async function runBlocks(count: number): Promise<number> {
  const block = (_: unknown, index: number) => `\`\`\`a\ntool: echo\ntext: ${index}\n\`\`\`\n`;
  const notes = new MemoryNotes({ 'Note.md': Array.from({ length: count }, block).join('\n') });
  await using memory = await memoryHost([localServer('a')]);
  const ports = { host: memory.host, notes, log: memory.log, attachments: new MemoryAttachments() };
  const started = performance.now();
  await runNote({ path: 'Note.md', sessionId: 'bench' }, ports);
  return performance.now() - started;
}

function compare(what: string, size: number, prepare: (size: number) => () => unknown): BenchRow {
  const ours = measure(prepare(size));
  const peer = measure(prepare(size / 2));
  return { what, ...rated(ours, peer) };
}

function rated(ours: number, peer: number) {
  const pass = ours / peer <= 3;
  return { unit: 'ms', ours, peer, peerName: 'half of it', target: 'ratio <= 3', pass } as const;
}

function measure(work: () => unknown): number {
  work();
  return median(
    Array.from({ length: 3 }, () => {
      const started = performance.now();
      work();
      return performance.now() - started;
    }),
  );
}
