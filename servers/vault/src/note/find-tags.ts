import type { FrontmatterValues } from '@errand/document/frontmatter';

/** The tags of a note without their `#`: those in its frontmatter and those in its (masked) body. */
export function findTags(values: FrontmatterValues, maskedBody: string): string[] {
  const listed = [values.tags, values.tag].flatMap(fromFrontmatter);
  const inline = [...maskedBody.matchAll(inlineTag)].map(([, tag = '']) => tag);
  const tags = [...listed, ...inline].map((tag) => tag.replace(/\/+$/, '').normalize('NFC'));
  return [...new Set(tags.filter((tag) => /[^\d/]/.test(tag)))];
}

const inlineTag = /(?<=^|[\s([{'",;])#([\p{L}\p{N}\p{M}\p{Extended_Pictographic}_/-]+)/gmu;

function fromFrontmatter(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(fromFrontmatter);
  if (typeof value !== 'string') return [];
  return value
    .split(/[\s,]+/)
    .map((tag) => tag.replace(/^#/, ''))
    .filter((tag) => tag !== '');
}
