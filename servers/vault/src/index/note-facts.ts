import { type FrontmatterValues, type NoteParts, readParts } from '@errand/document/frontmatter';
import { findLinks } from '../note/find-links.ts';
import { findTags } from '../note/find-tags.ts';
import { maskCode } from '../note/mask-code.ts';
import { linkKey } from '../note/resolve-link.ts';

/** The indexed facts of a note besides its text. */
export interface NoteFacts {
  /** Why the frontmatter cannot be read, if so. */
  readonly problem: string | undefined;
  /** Each frontmatter key with its value, or with each element of a list. */
  readonly fields: readonly (readonly [field: string, value: string])[];
  readonly tags: readonly string[];
  /** The names of the notes it links to, as `linkKey` spells them. */
  readonly links: readonly string[];
}

/** Reads the facts from the text of a note. */
export function noteFacts(text: string, parts: NoteParts = readParts(text)): NoteFacts {
  const { split, parsed } = parts;
  const values = parsed?.status === 'ok' ? parsed.values : {};
  const masked = /#|\[\[|\]\(/.test(text) ? maskCode(text) : '';
  return {
    problem: parsed?.status === 'broken' ? problemOf(parsed.line, parsed.reason) : undefined,
    fields: fieldsOf(values),
    tags: findTags(values, masked.slice(split.bodyStart)),
    links: [...new Set(findLinks(masked).map(({ target }) => linkKey(target)))],
  };
}

/** The values of a frontmatter that a filter can ask for. */
export function fieldsOf(values: FrontmatterValues): (readonly [string, string])[] {
  return Object.entries(values).flatMap(([field, value]) =>
    [value]
      .flat()
      .filter((element) => typeof element !== 'object' || element === null)
      .map((element) => [field, element === null ? '' : String(element)] as const),
  );
}

function problemOf(line: number, reason: string): string {
  // The fence itself is the file's first line.
  return `The frontmatter is not valid YAML: line ${line + 1}: ${reason}`;
}
