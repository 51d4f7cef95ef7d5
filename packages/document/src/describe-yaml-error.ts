import type { YAMLError } from 'yaml';

/** Says what is wrong with YAML, and what to write instead where that is known. */
export function describeYamlError(error: YAMLError, text: string): string {
  const [at] = error.pos;
  if (unquotedTemplate.test(lineBefore(text, at))) {
    return 'A template must be quoted: name: "{{ … }}"';
  }
  if (error.code === 'MISSING_CHAR') {
    return at >= text.length
      ? 'A quote is not closed.'
      : 'The line is missing a colon: name: value';
  }
  if (error.code === 'UNEXPECTED_TOKEN' && startsWithStar.test(lineBefore(text, at))) {
    return 'A value that starts with * must be quoted.';
  }
  return sentences[error.code] ?? error.message;
}

const sentences: Partial<Record<string, string>> = {
  BAD_DQ_ESCAPE:
    'Unknown escape in double quotes. Use single quotes, or write \\\\ for a backslash.',
  BAD_INDENT: 'Check the indentation, and close every [ and {.',
  BAD_SCALAR_START: 'A value that starts with @, ` or % must be quoted.',
  BLOCK_AS_IMPLICIT_KEY: 'The value contains ": ". Put it in quotes.',
  DUPLICATE_KEY: 'The name is used twice.',
  MULTILINE_IMPLICIT_KEY: 'The line above is missing a colon: name: value',
  MULTIPLE_DOCS: 'A line of --- is not allowed here.',
  RESOURCE_EXHAUSTION: 'The values are nested too deep. Write a flatter value.',
  TAB_AS_INDENT: 'Indent with spaces, not with tabs.',
  UNEXPECTED_TOKEN: 'Put the value in quotes, or check the indentation.',
};

/** YAML reads `{{` at the start of a value as a mapping. */
const unquotedTemplate = /(?:[:,[]|^[ \t]*-)[ \t]*\{\{/;

const startsWithStar = /:[ \t]+\*/;

function lineBefore(text: string, at: number): string {
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
}
