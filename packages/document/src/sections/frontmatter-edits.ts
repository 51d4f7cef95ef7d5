import type { Node, YAMLMap, YAMLSeq } from 'yaml';
import type { TextEdit } from '../edits.ts';
import { afterLineEnd, lineEnd, lineStart } from '../scan/lines.ts';

/** Makes edits of a YAML text from its nodes, so that everything else stays byte for byte. */
export class FrontmatterEdits {
  readonly #text: string;
  readonly #from: number;
  readonly #to: number;
  readonly #lineEnd: string;

  /** The YAML stands between the two offsets of the text; the second is the start of a line. */
  constructor(text: string, from: number, to: number, lineEnd: string) {
    this.#text = text;
    this.#from = from;
    this.#to = to;
    this.#lineEnd = lineEnd;
  }

  replaceScalar(node: Node, value: string): TextEdit {
    return { range: [this.#start(node), this.#from + (node.range?.[1] ?? 0)], text: value };
  }

  /** Adds lines at the end of the YAML. */
  append(lines: readonly string[]): TextEdit {
    return this.#insert(this.#to, lines);
  }

  /** Adds lines below a key that has no value. */
  appendBelow(node: Node, lines: readonly string[]): TextEdit {
    return this.#insert(this.#nextLine(this.#start(node)), lines);
  }

  /** Adds an entry to a mapping; `lines` are its further lines, `flow` is how it looks within braces. */
  appendPair(map: YAMLMap, lines: readonly string[], flow: string): TextEdit {
    if (map.flow) return this.#insertBeforeEnd(map, flow);
    const indent = this.#column(this.#start(map));
    return this.#insert(
      this.#after(map),
      lines.map((line) => indent + line),
    );
  }

  appendItem(list: YAMLSeq, lines: readonly string[], flow: string): TextEdit {
    if (list.flow) return this.#insertBeforeEnd(list, flow);
    const indent = this.#column(this.#start(list));
    return this.#insert(
      this.#after(list),
      lines.map((line, index) => `${indent}${index === 0 ? '- ' : '  '}${line}`),
    );
  }

  /** Removes an entry of a mapping, key and value. */
  removePair(map: YAMLMap, key: Node, value: Node | null): TextEdit {
    const end = value ?? key;
    if (map.flow) return this.#removeFromFlow(this.#start(key), this.#from + (end.range?.[1] ?? 0));
    return { range: [lineStart(this.#text, this.#start(key)), this.#after(end)], text: '' };
  }

  removeItem(list: YAMLSeq, item: Node): TextEdit {
    const start = this.#start(item);
    if (list.flow) return this.#removeFromFlow(start, this.#from + (item.range?.[1] ?? 0));
    const dash = this.#text.lastIndexOf('-', start - 1);
    return { range: [lineStart(this.#text, dash), this.#after(item)], text: '' };
  }

  #start(node: Node): number {
    return this.#from + (node.range?.[0] ?? 0);
  }

  /** Where the line after a node begins. */
  #after(node: Node): number {
    return this.#nextLine(this.#from + (node.range?.[1] ?? 0));
  }

  #nextLine(at: number): number {
    if (at > this.#from && lineStart(this.#text, at) === at) return at;
    return Math.min(afterLineEnd(this.#text, lineEnd(this.#text, at)), this.#to);
  }

  #column(at: number): string {
    return ' '.repeat(at - lineStart(this.#text, at));
  }

  #insert(at: number, lines: readonly string[]): TextEdit {
    return { range: [at, at], text: lines.map((line) => line + this.#lineEnd).join('') };
  }

  #insertBeforeEnd(node: YAMLMap | YAMLSeq, entry: string): TextEdit {
    const end = this.#from + (node.range?.[1] ?? 0) - 1;
    return { range: [end, end], text: node.items.length === 0 ? entry : `, ${entry}` };
  }

  /** Takes the comma along: the one behind, or, for the last entry, the one before. */
  #removeFromFlow(from: number, to: number): TextEdit {
    const behind = /^\s*,[ \t]*/.exec(this.#text.slice(to, this.#to))?.[0].length ?? 0;
    if (behind > 0) return { range: [from, to + behind], text: '' };
    const before = /,\s*$/.exec(this.#text.slice(this.#from, from))?.[0].length ?? 0;
    return { range: [from - before, to], text: '' };
  }
}
