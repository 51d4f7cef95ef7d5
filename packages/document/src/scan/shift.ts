import type { TextEdit } from '../edits.ts';
import type { Checkpoint, OpenLeaf } from './checkpoint.ts';
import { countLineEnds } from './lines.ts';
import type { Container } from './note-scan.ts';

/** Maps offsets of the old text to the new one; NaN for what the edit removed. */
export class Shift {
  readonly #from: number;
  readonly #to: number;
  readonly #firstLine: number;
  readonly #lastLine: number;
  readonly #characters: number;
  readonly #lines: number;
  readonly #containers = new Map<Container, Container>();

  /** `firstLine` is the line of the old text that the edit begins in. */
  constructor(oldText: string, edit: TextEdit, newText: string, firstLine: number) {
    const [from, to] = edit.range;
    this.#from = from;
    this.#to = to;
    this.#characters = newText.length - oldText.length;
    this.#firstLine = firstLine;
    this.#lastLine = firstLine + countLineEnds(oldText, from, to);
    // One character more on each side: a CR and an LF may meet or part there.
    const before = countLineEnds(oldText, from - 1, to + 1);
    this.#lines = countLineEnds(newText, from - 1, from + edit.text.length + 1) - before;
  }

  offset(offset: number): number {
    if (offset >= this.#to) return offset + this.#characters;
    return offset < this.#from ? offset : Number.NaN;
  }

  line(line: number): number {
    if (line > this.#lastLine) return line + this.#lines;
    return line <= this.#firstLine ? line : Number.NaN;
  }

  checkpoint(checkpoint: Checkpoint): Checkpoint {
    return {
      position: this.offset(checkpoint.position),
      line: this.line(checkpoint.line),
      levels: checkpoint.levels.map((level) => ({
        ...level,
        from: this.offset(level.from),
        line: this.line(level.line),
        childLine: this.line(level.childLine),
        container: null,
      })),
      leaf: this.#leaf(checkpoint.leaf),
      counts: checkpoint.counts,
    };
  }

  #leaf(leaf: OpenLeaf): OpenLeaf {
    if (!('at' in leaf)) return leaf;
    const from = this.offset(leaf.at.from);
    const line = this.line(leaf.at.line);
    if (leaf.kind === 'fence') return { kind: 'fence', at: { ...leaf.at, from, line } };
    if (leaf.kind === 'html') return { kind: 'html', at: { ...leaf.at, from, line } };
    const { at } = leaf;
    return {
      kind: 'paragraph',
      at: {
        ...at,
        from,
        line,
        lineBefore: this.line(at.lineBefore),
        leftFrom: this.offset(at.leftFrom),
        lastFrom: this.offset(at.lastFrom),
        lastTo: this.offset(at.lastTo),
        lastLine: this.line(at.lastLine),
      },
    };
  }

  /** A record that ends behind the edit, as the new text has it. */
  record<Moved extends Movable>(record: Moved): Moved {
    const moved: Mutable<Movable> = { ...record };
    moved.from = this.offset(record.from);
    moved.line = this.line(record.line);
    if (record.to !== undefined) moved.to = this.offset(record.to);
    if (record.endLine !== undefined) moved.endLine = record.endLine + this.#lines;
    if (record.blockLine !== undefined) moved.blockLine = this.line(record.blockLine);
    if (record.container) moved.container = this.#container(record.container);
    return moved as Moved;
  }

  #container(container: Container): Container {
    // The containers around a container begin before it.
    if (container.from < this.#from) return container;
    const known = this.#containers.get(container);
    if (known !== undefined) return known;
    const moved = {
      ...container,
      from: this.offset(container.from),
      line: this.line(container.line),
      parent: container.parent && this.#container(container.parent),
    };
    this.#containers.set(container, moved);
    return moved;
  }
}

/** The places that a record of a scan may have. */
interface Movable {
  readonly from: number;
  readonly line: number;
  readonly to?: number;
  readonly endLine?: number;
  readonly blockLine?: number;
  readonly container?: Container | null;
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };
