import { measureOpening, measureRun } from '@errand/workbench/testing';
import type { BenchRow } from './bench-row.ts';

const manyNotes = 10_000;
const manyBlocks = 500;

/** The built page in a real Chromium: a large vault beside a small one, a long note beside a short one. */
export async function bench(): Promise<BenchRow[]> {
  const [few, many] = [await measureOpening(10), await measureOpening(manyNotes)];
  const [short, long] = [await measureRun(1), await measureRun(manyBlocks)];
  return [
    {
      what: `workbench: page loaded to ${manyNotes} notes seen`,
      unit: 'ms',
      ours: many,
      peer: few,
      peerName: 'ten notes',
      target: '< 1500',
      pass: many < 1_500,
    },
    {
      what: `workbench: longest task (processor time) while ${manyBlocks} blocks run`,
      unit: 'ms',
      ours: long,
      peer: short,
      peerName: 'one block',
      target: 'to compare',
      pass: true,
    },
  ];
}
