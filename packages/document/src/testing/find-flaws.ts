import fc from 'fast-check';
import { compareWithCommonmark } from './compare-with-commonmark.ts';
import { hostileNote } from './hostile-note.ts';
import { liveArbitrary } from './live-arbitrary.ts';
import { answerFlaw, liveFlaw, writtenFlaw } from './live-flaw.ts';
import { noteArbitrary, payloadArbitrary, quietRequestArbitrary } from './note-arbitrary.ts';
import { random } from './random.ts';
import { rescanFlaw } from './rescan-flaw.ts';
import { resultFlaw } from './result-flaw.ts';

/** Looks for notes that break a promise: tries `count` of them, the same for the same seed. */
export type FindFlaws = (seed: number, count: number) => readonly string[];

/** Notes whose fences or headings we read otherwise than the reference implementation. */
export const findReadingFlaws: FindFlaws = (seed, count) =>
  flawsOf(seed, count, (at) => {
    const note = hostileNote(random(at));
    const { ours, reference } = compareWithCommonmark(note);
    if (ours.join('\n') === reference.join('\n')) return null;
    return `${JSON.stringify(note)}\n  ours ${ours.join(', ')}\n  reference ${reference.join(', ')}`;
  });

/** Notes that read differently after an edit than as a whole. */
export const findRescanFlaws: FindFlaws = (seed, count) =>
  flawsOf(seed, count, (at) => rescanFlaw(random(at)));

/** Notes that a result harms; the first one, made as small as possible. */
export const findResultFlaws: FindFlaws = (seed, count) => {
  const payloads = fc.array(payloadArbitrary, { minLength: 1 });
  return smallestFlaw(seed, count, fc.tuple(noteArbitrary, payloads), ([note, texts]) =>
    resultFlaw(note, texts),
  );
};

/** Answers of tools and models that are live where they were written; the first one, made as small as possible. */
export const findLiveFlaws: FindFlaws = (seed, count) =>
  smallestFlaw(
    seed,
    count,
    fc.tuple(quietRequestArbitrary, liveArbitrary),
    ([note, text]) => liveFlaw(text) ?? answerFlaw(text) ?? writtenFlaw(note, text),
  );

function smallestFlaw<Value>(
  seed: number,
  count: number,
  values: fc.Arbitrary<Value>,
  flawOf: (value: Value) => string | null,
): readonly string[] {
  const property = fc.property(values, (value) => {
    const flaw = flawOf(value);
    if (flaw !== null) throw new Error(flaw);
  });
  const { failed, counterexample, errorInstance } = fc.check(property, { seed, numRuns: count });
  return failed ? [`${JSON.stringify(counterexample)}: ${errorInstance}`] : [];
}

function flawsOf(
  seed: number,
  count: number,
  flawAt: (seed: number) => string | null,
): readonly string[] {
  const flaws: string[] = [];
  for (let at = seed; at < seed + count; at++) {
    const flaw = flawAt(at);
    if (flaw !== null) flaws.push(`seed ${at}: ${flaw}`);
  }
  return flaws;
}
