import type { NoteContext } from '../note-context.ts';
import type { NoteScan } from '../scan/note-scan.ts';
import { type BindingProblem, type BindingSource, describeMistake } from './binding.ts';
import { countedLines } from './counted-lines.ts';
import {
  decideLine,
  type LineContext,
  type LocatedSource,
  settle,
  stricter,
} from './decide-line.ts';
import { type Decision, explainDecision } from './decision.ts';
import { frontmatterBindings } from './frontmatter-bindings.ts';
import { type LocatedBinding, locateBinding } from './locate-binding.ts';
import { headingTitle, type OutlineSection, outlineOf, sectionAt, sectionPath } from './outline.ts';
import { settingsBindings } from './settings-bindings.ts';

/** A part of the note that a person may bind: the whole, a heading, or a bound block or range. */
export interface Section {
  readonly kind: 'note' | 'heading' | 'block' | 'lines';
  /** `note`, `## Weather`, `^w1`, `lines 10 to 40`. */
  readonly title: string;
  /** The headings down to it, its own included. */
  readonly path: readonly string[];
  /** Of `lines`, as counted without results. */
  readonly line: number;
  readonly endLine: number;
  readonly decision: Decision;
  readonly explanation: string;
}

/** Which server each part of a note is bound to. */
interface NoteSections {
  readonly sections: readonly Section[];
  /** What is wrong with the bindings. */
  readonly problems: readonly BindingProblem[];
  /** The decision for one line. */
  decide(line: number): Decision;
  /** The texts of the headings above a line, outermost first. */
  headingsAt(line: number): readonly string[];
}

/** Resolves the bindings of the frontmatter and the settings for a note. */
export function resolveSections(scan: NoteScan, context: NoteContext): NoteSections {
  const outline = outlineOf(scan);
  const counted = countedLines(scan);
  const lastLine = counted(scan.lineCount);
  const locate = (source: BindingSource): LocatedSource => ({
    source,
    located: source.bindings.map((binding) => locateBinding(binding, scan, outline, lastLine)),
  });
  const own = locate(frontmatterBindings(scan, context));
  const { documentPath = '', realPath = documentPath } = context;
  const settings = [...new Set([documentPath, realPath])].map((path) =>
    locate(settingsBindings(context, path)),
  );
  const sources = [own, ...settings];
  const decideAt = (place: LineContext) =>
    settings.map((each) => decideLine([own, each], place)).reduce(stricter);
  const decide = (line: number) => {
    const sections = sectionPath(sectionAt(outline, line)).toReversed();
    return decideAt({ line, counted: counted(line), sections });
  };
  // Outside all headings, blocks and ranges, only a binding of the whole note applies.
  const whole = decideAt({ line: 0, counted: 0, sections: [] });
  return {
    sections: [
      section('note', 'note', [], 1, scan.lineCount, whole),
      ...outline.map((section) => headingSection(section, decide(section.heading.line))),
      ...distinct(sources.flatMap(({ located }) => boundParts(located))),
    ],
    problems: distinct(
      sources.flatMap(({ source, located }) => [
        ...source.problems,
        ...located.flatMap(placeProblems),
      ]),
    ),
    decide,
    headingsAt: (line) => headingTexts(sectionAt(outline, line)),
  };
}

/** Without what a binding says once more because both paths of the note match it. */
function distinct<Item>(items: readonly Item[]): readonly Item[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

function headingSection(outlined: OutlineSection, decision: Decision): Section {
  const { heading, endLine } = outlined;
  const title = headingTitle(outlined);
  return section('heading', title, headingTexts(outlined), heading.line, endLine, decision);
}

/** Blocks and ranges that have a binding of their own. */
function boundParts(located: readonly LocatedBinding[]): readonly Section[] {
  return located.flatMap(({ binding, ranges }) => {
    const { target } = binding;
    if (target.kind !== 'lines' && target.kind !== 'block') return [];
    const title =
      target.kind === 'block' ? `^${target.id}` : `lines ${target.first} to ${target.last}`;
    return ranges.map(({ first, last }) => {
      const rivals = located.filter(
        (other) =>
          other.binding.target.kind === target.kind &&
          other.ranges.some((range) => range.first <= last && first <= range.last),
      );
      return section(target.kind, title, [], first, last, settle(rivals, null));
    });
  });
}

function section(
  kind: Section['kind'],
  title: string,
  path: readonly string[],
  line: number,
  endLine: number,
  decision: Decision,
): Section {
  const explanation = explainDecision(title, decision);
  return { kind, title, path, line, endLine, decision, explanation };
}

function placeProblems({ binding, problem }: LocatedBinding): readonly BindingProblem[] {
  if (problem === null) return [];
  const { origin } = binding;
  const line = origin.kind === 'frontmatter' ? origin.line : null;
  return [{ message: describeMistake(origin, problem), line }];
}

function headingTexts(outlined: OutlineSection | null): readonly string[] {
  return sectionPath(outlined).map(({ heading }) => heading.text);
}
