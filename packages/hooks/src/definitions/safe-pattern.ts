// Patterns come with a vault, and the engine's own RegExp backtracks without end on some of them. `re2js` is linear,
// but has 260 KB, which the plugin would carry for one condition; therefore this simulation of an automaton.

/** A regular expression that cannot take forever, or why a text is none. */
export type SafePattern =
  | {
      readonly kind: 'pattern';
      /** Whether it fits a part of the text; undefined when finding out would take too long. */
      matches(text: string): boolean | undefined;
    }
  | { readonly kind: 'problem'; readonly message: string };

/**
 * Compiles a regular expression of JavaScript's syntax without back references and look-around; `(?i)` in front
 * ignores case. Its time grows with the length of pattern and text, and is limited.
 */
export function compilePattern(source: string): SafePattern {
  if (source.length > longestPattern) {
    return problem(`A pattern has at most ${longestPattern} characters. Write a shorter one.`);
  }
  const [, isCaseIgnored, body = ''] = /^(\(\?i\))?(.*)$/s.exec(source) ?? [];
  const flags = isCaseIgnored === undefined ? 'u' : 'iu';
  try {
    new RegExp(body, flags);
  } catch {
    return problem('This is no regular expression. Look for a missing bracket or backslash.');
  }
  try {
    const program = assemble(new PatternParser(body, flags).parse());
    return { kind: 'pattern', matches: (text) => run(program, text) };
  } catch (error) {
    if (error instanceof Unsupported) return problem(error.message);
    throw error;
  }
}

function problem(message: string): SafePattern {
  return { kind: 'problem', message };
}

const longestPattern = 1_000;
const longestProgram = 5_000;
/** About 25 ms. */
const mostSteps = 1_000_000;

class Unsupported extends Error {}

type Edge = 'start' | 'end' | 'word' | 'inside';

type Part =
  | { readonly kind: 'character'; readonly test: CharacterTest }
  | { readonly kind: 'edge'; readonly edge: Edge }
  | { readonly kind: 'sequence'; readonly parts: readonly Part[] }
  | { readonly kind: 'either'; readonly options: readonly Part[] }
  | { readonly kind: 'repeat'; readonly part: Part; readonly min: number; readonly max: number };

type CharacterTest = (character: string) => boolean;

/** Reads a pattern that RegExp has accepted, so it need not look for mistakes. */
class PatternParser {
  readonly #source: string;
  readonly #flags: string;
  #at = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags;
  }

  parse(): Part {
    const options = [this.#sequence()];
    while (this.#take(/\|/y) !== undefined) options.push(this.#sequence());
    return options.length === 1 && options[0] ? options[0] : { kind: 'either', options };
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source[this.#at] ?? '')) {
      parts.push(this.#repeated(this.#atom()));
    }
    return { kind: 'sequence', parts };
  }

  #atom(): Part {
    if (this.#take(/\^/y)) return { kind: 'edge', edge: 'start' };
    if (this.#take(/\$/y)) return { kind: 'edge', edge: 'end' };
    const edge = this.#take(/\\[bB]/y);
    if (edge) return { kind: 'edge', edge: edge === '\\b' ? 'word' : 'inside' };
    if (this.#take(/\\(?:[1-9]|k<)/y)) {
      throw new Unsupported('A pattern cannot refer back to a group. Write it without.');
    }
    if (this.#take(/\((?:\?(?::|<(?![=!])[^>]*>))?(?!\?)/y)) {
      const part = this.parse();
      this.#take(/\)/y);
      return part;
    }
    if (this.#take(/\(/y)) {
      throw new Unsupported('A pattern cannot look around or switch options. Write it without.');
    }
    const source =
      this.#take(/\[(?:\\.|[^\]\\])*\]/suy) ??
      this.#take(
        /\\(?:u\{[^}]*\}|u[dD][89abAB]..\\u[dD][c-fC-F]..|u....|x..|c.|[pP]\{[^}]*\}|.)/suy,
      ) ??
      this.#take(/./suy) ??
      '';
    return { kind: 'character', test: characterTest(source, this.#flags) };
  }

  #repeated(part: Part): Part {
    const found = this.#take(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/y);
    if (found === undefined) return part;
    const [, least, isOpen, most] = /^\{(\d+)(,?)(\d*)/.exec(found) ?? [];
    if (least === undefined) {
      const isOptional = found.startsWith('?');
      const max = isOptional ? 1 : Number.POSITIVE_INFINITY;
      return { kind: 'repeat', part, min: found.startsWith('+') ? 1 : 0, max };
    }
    const min = Number(least);
    const max = most ? Number(most) : isOpen ? Number.POSITIVE_INFINITY : min;
    return { kind: 'repeat', part, min, max };
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#source) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }
}

/** What one element of a pattern fits. It cannot backtrack, since it is asked about single characters. */
function characterTest(source: string, flags: string): CharacterTest {
  const pattern = new RegExp(`^(?:${source})$`, flags);
  const known = new Map<string, boolean>();
  return (character) => {
    let fits = known.get(character);
    if (fits === undefined) {
      fits = pattern.test(character);
      if (known.size < 1_000) known.set(character, fits);
    }
    return fits;
  };
}

type Instruction =
  | { readonly kind: 'character'; readonly test: CharacterTest }
  | { readonly kind: 'edge'; readonly edge: Edge }
  | Jump
  | { readonly kind: 'found' };

interface Jump {
  readonly kind: 'jump';
  to: number;
  /** The other way, if there are two. */
  or?: number;
}

function assemble(whole: Part): readonly Instruction[] {
  const program: Instruction[] = [];
  const add = <One extends Instruction>(instruction: One): One => {
    if (program.length >= longestProgram) throw tooMuch();
    program.push(instruction);
    return instruction;
  };
  const write = (part: Part): void => {
    switch (part.kind) {
      case 'character':
      case 'edge':
        add(part);
        break;
      case 'sequence':
        part.parts.forEach(write);
        break;
      case 'either': {
        const ends = part.options.slice(0, -1).map((option) => {
          const fork = add<Jump>({ kind: 'jump', to: program.length + 1, or: 0 });
          write(option);
          const end = add<Jump>({ kind: 'jump', to: 0 });
          fork.or = program.length;
          return end;
        });
        part.options.slice(-1).forEach(write);
        for (const end of ends) end.to = program.length;
        break;
      }
      case 'repeat': {
        // Nothing, repeated a billion times, would take long although it adds no instruction.
        if (part.min > longestProgram) throw tooMuch();
        for (let count = 0; count < part.min; count++) write(part.part);
        if (part.max === Number.POSITIVE_INFINITY) {
          const at = program.length;
          const fork = add<Jump>({ kind: 'jump', to: at + 1, or: 0 });
          write(part.part);
          add<Jump>({ kind: 'jump', to: at });
          fork.or = program.length;
        } else {
          const forks: Jump[] = [];
          for (let count = part.min; count < part.max; count++) {
            forks.push(add<Jump>({ kind: 'jump', to: program.length + 1, or: 0 }));
            write(part.part);
          }
          for (const fork of forks) fork.or = program.length;
        }
      }
    }
  };
  write(whole);
  add({ kind: 'found' });
  return program;
}

function tooMuch(): Unsupported {
  return new Unsupported('The pattern repeats too much. Write smaller numbers in { }.');
}

/** Follows all ways through the program at once, so that no character is looked at twice for one instruction. */
function run(program: readonly Instruction[], text: string): boolean | undefined {
  const seenAt = new Int32Array(program.length).fill(-1);
  let current: number[] = [];
  let steps = 0;
  let before = '';
  for (let at = 0, round = 0; ; round++) {
    const code = text.codePointAt(at);
    const next = code === undefined ? '' : String.fromCodePoint(code);
    const waiting: number[] = [];
    // Every position may be the beginning of a match.
    const stack = [...current, 0].reverse();
    for (let here = stack.pop(); here !== undefined; here = stack.pop()) {
      if (seenAt[here] === round) continue;
      seenAt[here] = round;
      steps += 1;
      const instruction = program[here];
      if (instruction === undefined || instruction.kind === 'found') return true;
      if (instruction.kind === 'character') waiting.push(here);
      else if (instruction.kind === 'jump') {
        if (instruction.or !== undefined) stack.push(instruction.or);
        stack.push(instruction.to);
      } else if (isAt(instruction.edge, before, next)) stack.push(here + 1);
    }
    if (code === undefined) return false;
    if (steps > mostSteps) return undefined;
    current = waiting.filter((here) => {
      const instruction = program[here];
      return instruction?.kind === 'character' && instruction.test(next);
    });
    current = current.map((here) => here + 1);
    before = next;
    at += next.length;
  }
}

function isAt(edge: Edge, before: string, next: string): boolean {
  if (edge === 'start') return before === '';
  if (edge === 'end') return next === '';
  return (/\w/.test(before) !== /\w/.test(next)) === (edge === 'word');
}
