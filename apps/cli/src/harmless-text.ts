/** A stranger's text without what would move the cursor, or colour or rename the terminal. */
export function harmlessText(text: string): string {
  return text.replace(/(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu, '');
}
