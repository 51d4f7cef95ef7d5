import { inertText } from './results/inert-text.ts';

/** A line of backticks that a text can stand between, because it holds none as long. */
export function fenceFor(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  return '`'.repeat(longest + 1);
}

/** A text as a block that only shows it. */
export function textFence(text: string): string {
  const fence = fenceFor(text);
  return `${fence}text\n${inertText(text, 'text')}\n${fence}`;
}
