export type Display = 'inline' | 'block' | 'collapsed';
export type ResultForm = 'text' | 'json' | 'markdown' | 'callout';

/** What the words after the language on the info line ask for. */
export interface BlockOptions {
  /** Milliseconds, 1,000 to 300,000. */
  readonly timeout?: number;
  readonly display?: Display;
  readonly as?: ResultForm;
  /** The answer stands in the note as it came, with its pictures, HTML and queries. */
  readonly live?: boolean;
  /** Named here, the body holds parameters only. */
  readonly tool?: string;
}

/** The options of an info line, or what is wrong with it. */
interface InfoLine {
  readonly options: BlockOptions;
  readonly problem: string | null;
}

/** The first word of an info line. */
export function languageOf(info: string): string {
  return /^[^ \t]*/.exec(info)?.[0] ?? '';
}

export function parseInfoLine(info: string): InfoLine {
  const words = info
    .slice(languageOf(info).length)
    .split(/[ \t]+/)
    .filter((word) => word !== '');
  let options: BlockOptions = {};
  const seen = new Set<string>();
  for (const word of words) {
    const equals = word.indexOf('=');
    const name = equals < 0 ? word : word.slice(0, equals);
    const value = equals < 0 ? '' : word.slice(equals + 1);
    const read = Object.hasOwn(readers, name) ? readers[name as keyof typeof readers] : undefined;
    if (read === undefined) {
      const problem = `Unknown option "${word}". Options are: timeout=60s, display=inline|block|collapsed, as=text|json|markdown|callout, live=yes, tool=NAME.`;
      return { options, problem };
    }
    if (seen.has(name)) return { options, problem: `The option "${name}" is given twice.` };
    seen.add(name);
    const option = read(value);
    if (typeof option === 'string') return { options, problem: option };
    options = { ...options, ...option };
  }
  return { options, problem: null };
}

/** All of them. */
export const displays: readonly Display[] = ['inline', 'block', 'collapsed'];
const forms: readonly ResultForm[] = ['text', 'json', 'markdown', 'callout'];
const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

/** Each gives the option, or a sentence about what is wrong with the value. */
const readers = {
  timeout(value: string): BlockOptions | string {
    const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(value) ?? [];
    const timeout = Number(amount) * (units[unit] ?? 0);
    if (timeout >= 1000 && timeout <= 300_000) return { timeout };
    return `timeout=${value} is not a time between 1s and 5m. Write for example timeout=60s.`;
  },
  display(value: string): BlockOptions | string {
    const display = displays.find((known) => known === value);
    return display === undefined
      ? `display=${value} is unknown. Write one of: ${displays.join(', ')}.`
      : { display };
  },
  as(value: string): BlockOptions | string {
    const as = forms.find((known) => known === value);
    return as === undefined ? `as=${value} is unknown. Write one of: ${forms.join(', ')}.` : { as };
  },
  live(value: string): BlockOptions | string {
    return value === 'yes'
      ? { live: true }
      : `live=${value} is unknown. Write live=yes, or leave it out.`;
  },
  tool(value: string): BlockOptions | string {
    return value === '' ? 'tool= names no tool. Write tool=NAME.' : { tool: value };
  },
};
