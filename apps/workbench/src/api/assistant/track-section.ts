import { type NoteScan, scan } from '@errand/document';
import { HostError, type NotePosition } from '@errand/host';

/**
 * Returns a function that finds the section of a line again after the note was edited, so that the rules of that
 * section apply and not those of whatever moved to the line. It throws when the section is gone.
 */
export function trackSection(place: NotePosition, text: string): (text: string) => NotePosition {
  const { path, line } = place;
  const before = sectionHeadings(scan(text));
  const own = line === undefined ? undefined : before.findLast((heading) => heading.line <= line);
  if (line === undefined) return () => place;
  if (own === undefined) return () => ({ path });
  const isTwin = ({ level, text }: Heading) => level === own.level && text === own.text;
  const twinsBefore = before.filter(isTwin);
  return (now) => {
    const twins = sectionHeadings(scan(now)).filter(isTwin);
    const isCertain = twins.length === twinsBefore.length;
    const found = twins[isCertain ? twinsBefore.indexOf(own) : 0];
    if (found !== undefined && (isCertain || twins.length === 1)) return { path, line: found.line };
    throw new HostError(
      'note_changed',
      `The section "${own.text}" of ${path} was changed or removed meanwhile. Ask again.`,
    );
  };
}

type Heading = NoteScan['headings'][number];

function sectionHeadings({ headings }: NoteScan): readonly Heading[] {
  return headings.filter(({ container, within }) => container === null && within === null);
}
