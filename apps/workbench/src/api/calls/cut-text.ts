import type { CallContent } from '../../contract.ts';

/** The beginning of an answer; that of JSON is JSON again, closed after its last whole value. */
export function cutText(type: CallContent['type'], text: string, most: number): string {
  if (text.length <= most) return text.toWellFormed();
  const start = text.slice(0, most).toWellFormed();
  return type === 'json' ? closeJson(start) : start;
}

/** Ends JSON that was cut off somewhere, so that it can be read. */
export function closeJson(start: string): string {
  const open: string[] = [];
  const closers = () => open.toReversed().join('');
  let whole = 0;
  let ends = '';
  let isValueNext = true;
  const other = /[^\s[\]{}:,"]+/y;
  for (let at = 0; at < start.length; ) {
    const sign = start[at] ?? '';
    let end = at + 1;
    let isValueEnd = sign === ']' || sign === '}' || sign === '[' || sign === '{';
    if (sign === '[' || sign === '{') open.push(sign === '[' ? ']' : '}');
    else if (isValueEnd) open.pop();
    if (sign === '"') {
      const string = stringAt(start, at);
      // A string that is cut keeps its beginning.
      if (!string.isWhole && isValueNext) return `${start.slice(0, string.end)}…"${closers()}`;
      end = string.end;
      isValueEnd = isValueNext;
      if (!string.isWhole) break;
    } else if (!/[\s[\]{}:,]/.test(sign)) {
      other.lastIndex = at;
      other.test(start);
      end = other.lastIndex;
      // A number or word at the very end may go on.
      isValueEnd = end < start.length;
    }
    if (isValueEnd) {
      whole = end;
      ends = closers();
    }
    if (sign === ':' || sign === '[') isValueNext = true;
    else if (sign === '{') isValueNext = false;
    else if (sign === ',') isValueNext = open.at(-1) === ']';
    at = end;
  }
  return start.slice(0, whole) + ends;
}

/** Where a string ends, behind its quote; one that is cut ends before half an escape. */
function stringAt(text: string, from: number): { readonly end: number; readonly isWhole: boolean } {
  let at = from + 1;
  while (at < text.length) {
    if (text[at] === '"') return { end: at + 1, isWhole: true };
    const length = text[at] !== '\\' ? 1 : text[at + 1] === 'u' ? 6 : 2;
    if (at + length > text.length) break;
    at += length;
  }
  return { end: at, isWhole: false };
}
