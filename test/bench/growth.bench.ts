import { findToolBlocks, matchDocumentPath, relocateBlocks, scan } from '@errand/document';
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

function compare(what: string, size: number, prepare: (size: number) => () => unknown): BenchRow {
  const ours = measure(prepare(size));
  const peer = measure(prepare(size / 2));
  const pass = ours / peer <= 3;
  return { what, unit: 'ms', ours, peer, peerName: 'half of it', target: 'ratio <= 3', pass };
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
