import { measureBundle, measureLoad, measureNote } from '@errand/obsidian/testing';
import type { BenchRow } from './bench-row.ts';

const manyNotes = 10_000;
const manyBlocks = 500;

/** The built plugin in the stand-in for Obsidian, beside the stand-in without it. */
export async function bench(): Promise<BenchRow[]> {
  return [
    ...(await bundleRows()),
    ...(await loadRows()),
    ...(await noteRows('source')),
    ...(await noteRows('preview')),
    ...(await noteRows('source', 5_000_000)),
  ];
}

async function bundleRows(): Promise<BenchRow[]> {
  const { bytes, evaluateMs, emptyMs } = await measureBundle();
  return [
    row('size of main.js', 'MB', bytes / 1e6, 1.5, 'limit', '<= 1.5', bytes <= 1.5e6),
    row(
      'processor time to evaluate main.js',
      'ms',
      evaluateMs,
      emptyMs,
      'empty file',
      '< 150',
      evaluateMs < 150,
    ),
  ];
}

/** In the stand-in, Node is another process: what going there and back takes is told apart. */
async function loadRows(): Promise<BenchRow[]> {
  const few = await measureLoad(1);
  const many = await measureLoad(manyNotes);
  const what = `main.js to ready, ${manyNotes} notes`;
  const { own, all } = many;
  return [
    row(`${what}, without the way to Node`, 'ms', own, few.own, 'one note', '< 150', own < 150),
    row(`${what}, with it`, 'ms', all, few.all, 'one note', 'to compare', true),
  ];
}

const modes = { source: 'Live Preview', preview: 'Reading view' } as const;

async function noteRows(mode: 'source' | 'preview', prose = 0): Promise<BenchRow[]> {
  const ours = await measureNote(mode, manyBlocks, true, prose);
  const floor = await measureNote(mode, manyBlocks, false, prose);
  const size = prose === 0 ? '' : ` in ${prose / 1e6} MB`;
  return (['scrolling', 'typing'] as const).map((doing) =>
    row(
      `longest task (processor time), ${doing}, ${manyBlocks} blocks${size}, ${modes[mode]}`,
      'ms',
      ours[doing],
      floor[doing],
      'no plugin',
      '<= 50 more',
      ours[doing] - floor[doing] <= 50,
    ),
  );
}

function row(
  what: string,
  unit: BenchRow['unit'],
  ours: number,
  peer: number,
  peerName: string,
  target: string,
  pass: boolean,
): BenchRow {
  return { what: `obsidian: ${what}`, unit, ours, peer, peerName, target, pass };
}
