import type { BrokenBinding } from '@errand/document';
import { isRecord } from '@errand/wire';
import type { SectionBinding } from '../settings.ts';
import { brokenBinding } from './broken-bindings.ts';
import { sectionBindingSchema } from './section-binding-schema.ts';
import { formatPath, type Report, reportIssues, type SettingsPath } from './settings-problem.ts';

/** The bindings of one entry. */
interface ReadBindings {
  readonly bindings: readonly SectionBinding[];
  /** Those that could not be read, as they are written. */
  readonly broken: readonly unknown[];
  /** What those forbid. */
  readonly forbidding: readonly BrokenBinding[];
}

/** An entry whose bindings are yet to be read. */
interface BindingEntry {
  readonly id: string;
  readonly name: string;
  readonly sectionBindings: readonly unknown[];
}

/** Reads the bindings of an entry one by one, so that one mistake costs one binding. */
export function readBindings(
  { id, name, sectionBindings }: BindingEntry,
  path: SettingsPath,
  report: Report,
): ReadBindings {
  const bindings: SectionBinding[] = [];
  const broken: unknown[] = [];
  const forbidding: BrokenBinding[] = [];
  for (const [index, value] of sectionBindings.entries()) {
    const place = [...path, 'sectionBindings', index];
    const mistakes: string[] = [];
    const reportOne: Report = (level, at, message, about) => {
      mistakes.push(`${formatPath(at)}: ${message}`);
      report(level, at, message, about);
    };
    const read = isRecord(value) ? { serverId: id, ...value } : value;
    const result = sectionBindingSchema.safeParse(read);
    if (!result.success) reportIssues(result.error, place, reportOne);
    reportStrangeKeys(value, place, reportOne);
    if (result.success && mistakes.length === 0) bindings.push(result.data);
    else {
      broken.push(value);
      forbidding.push(brokenBinding(value, mistakes[0] ?? '', name));
    }
  }
  return { bindings, broken, forbidding };
}

/** A key that nobody knows may be a misspelt one, and its binding then says something else than was meant. */
function reportStrangeKeys(binding: unknown, path: SettingsPath, report: Report): void {
  const known = Object.keys(sectionBindingSchema.shape);
  for (const key of Object.keys(isRecord(binding) ? binding : {})) {
    if (known.includes(key)) continue;
    report('error', [...path, key], `A binding has no such key. It has: ${known.join(', ')}.`);
  }
}
