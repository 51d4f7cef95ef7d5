import { type Document, isMap, visit } from 'yaml';
import { parseYaml } from '../parse-yaml.ts';

export type FrontmatterValues = Readonly<Record<string, unknown>>;

export type ParsedFrontmatter =
  | { readonly status: 'ok'; readonly values: FrontmatterValues; readonly document: Document }
  /** YAML that is no mapping: a rule and some text, say. It belongs to the body. */
  | { readonly status: 'text' }
  | { readonly status: 'broken'; readonly reason: string; readonly line: number };

const maximumLength = 256 * 1024;

/**
 * Reads the YAML between the fences. A value is a number only when writing the number gives the same
 * letters again, so `00123` and `1.10` arrive as text and lose nothing; dates are text, too.
 */
export function parseFrontmatter(yaml: string): ParsedFrontmatter {
  if (yaml.length > maximumLength) {
    return { status: 'broken', line: 1, reason: `it is longer than ${maximumLength} characters` };
  }
  const { document, lines } = parseYaml(yaml, { stringKeys: true, logLevel: 'silent' });
  const [error] = document.errors;
  if (error !== undefined) {
    return { status: 'broken', line: lines.linePos(error.pos[0]).line, reason: error.message };
  }
  if (document.contents === null) return { status: 'ok', values: {}, document };
  if (!isMap(document.contents)) return { status: 'text' };
  return valuesOf(document);
}

function valuesOf(document: Document): ParsedFrontmatter {
  keepSpelling(document);
  try {
    return { status: 'ok', values: document.toJS({ maxAliasCount: 100 }), document };
  } catch (error) {
    // An alias without its anchor, or aliases that multiply without end.
    return { status: 'broken', line: 1, reason: (error as Error).message };
  }
}

function keepSpelling(document: Document): void {
  visit(document, {
    Scalar(_, scalar) {
      if (typeof scalar.value !== 'number' && typeof scalar.value !== 'bigint') return;
      if (scalar.source !== undefined && String(scalar.value) !== scalar.source) {
        scalar.value = scalar.source;
      }
    },
  });
}
