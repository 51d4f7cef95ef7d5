/** A regular expression whose matching takes time in proportion to the text, or why it is none. */
export type SafePattern =
  | { readonly kind: 'pattern'; matches(text: string): boolean }
  | { readonly kind: 'problem'; readonly message: string };

/** Compiles a pattern that may come from a stranger. */
export function compilePattern(source: string): SafePattern {
  // Groups that are repeated, look around or refer back can take forever.
  if (/\)[*+?{]|\(\?[=!<]|\\[1-9k]/.test(source)) {
    const message = 'The pattern repeats a group, looks around or refers back. Write it without.';
    return { kind: 'problem', message };
  }
  try {
    const pattern = new RegExp(source, 'u');
    return { kind: 'pattern', matches: (text) => pattern.test(text.slice(0, 1000)) };
  } catch {
    return { kind: 'problem', message: 'This is not a regular expression.' };
  }
}
