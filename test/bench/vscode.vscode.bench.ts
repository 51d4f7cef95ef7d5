import { type Activation, measureActivation, measureNote } from '@errand/vscode/testing';
import { type BenchRow, median } from './bench-row.ts';

const manyBlocks = 500;

/** The packed extension in the real extension host and on the real page, beside an empty extension and beside none. */
export async function bench(): Promise<BenchRow[]> {
  return [...(await activationRows()), ...(await noteRows())];
}

async function activationRows(): Promise<BenchRow[]> {
  const { ours, empty, loadedBytes, allBytes } = await measureActivation(5);
  const [loaded, all] = [loadedBytes / 1e6, allBytes / 1e6];
  const activation = (what: string, of: (one: Activation) => number) => {
    const middle = median(ours.map(of));
    const floor = median(empty.map(of));
    return row(what, 'ms', middle, floor, 'empty extension', '< 150', middle < 150);
  };
  return [
    activation('activation, processor time', ({ processor }) => processor),
    activation('activation, by the clock', ({ clock }) => clock),
    row('code that activation loads', 'MB', loaded, 1.5, 'limit', '<= 1.5', loaded <= 1.5),
    row('code of all parts', 'MB', all, loaded, 'at activation', 'to compare', true),
  ];
}

async function noteRows(): Promise<BenchRow[]> {
  const ours = await measureNote(manyBlocks, true);
  const floor = await measureNote(manyBlocks, false);
  return (['scrolling', 'typing'] as const).flatMap((doing) => {
    const note = `${doing}, ${manyBlocks} blocks`;
    const [a, b] = [ours[doing], floor[doing]];
    const compare = (what: string, of: 'frame' | 'host') =>
      row(`${what}, ${note}`, 'ms', a[of], b[of], 'no extension', 'to compare', true);
    const isFine = a.task - b.task <= 50;
    const task = `longest task (processor time), ${note}`;
    return [
      row(task, 'ms', a.task, b.task, 'no extension', '<= 50 more', isFine),
      compare('longest frame (clock)', 'frame'),
      compare('extension host (processor time)', 'host'),
    ];
  });
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
  return { what: `vscode: ${what}`, unit, ours, peer, peerName, target, pass };
}
