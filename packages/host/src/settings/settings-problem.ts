import type { z } from 'zod';
import type { Advice } from '../advice.ts';
import { foreignName, oneLine } from '../text/one-line.ts';
import type { ErrorInfo } from '../tool-invocation.ts';

/** Something in a settings file that needs a person. */
export interface SettingsProblem {
  /** `error`: the entry is left out or its default used. `warning`: kept, but it does nothing. */
  readonly level: 'error' | 'warning';
  /** Where it stands, as `mcpServers[1].localConfig.command`. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
  /** What is wrong and what to write instead. */
  readonly message: string;
  readonly advice?: readonly Advice[];
  /** The value that is used instead, as JSON, until it is corrected. */
  readonly usedInstead?: string;
  /** Name of the server whose entry it is in. */
  readonly server?: string;
  /** The file that the entry of that server is in. */
  readonly file?: string;
}

/** The keys and indexes that lead to a value. */
export type SettingsPath = readonly (string | number)[];

/** `['mcpServers', 1, 'name']` as people write it: `mcpServers[1].name`; a key that is no plain name in quotes. */
export function formatPath(path: SettingsPath): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    const key = foreignName(step);
    return text === '' ? key : `${text}.${key}`;
  }, '');
}

/** One line for a person: file, place, path, and what is wrong; and what is advised. */
export function describeProblem(
  { path, line, column, message, usedInstead, advice }: SettingsProblem,
  file: string,
): Pick<ErrorInfo, 'message' | 'advice'> {
  const place = `${file}:${line}:${column}: ${path === '' ? '' : `${path}: `}`;
  const used = usedInstead === undefined ? '' : ` Until then ${usedInstead} is used.`;
  return { message: oneLine(`${place}${message}${used}`), ...(advice && { advice }) };
}

/** Notes a problem at a place. */
export type Report = (
  level: SettingsProblem['level'],
  path: SettingsPath,
  message: string,
  about?: ProblemFacts,
) => void;

/** What is known of a problem beyond its place and its message. */
interface ProblemFacts {
  readonly server?: string | undefined;
  readonly advice?: readonly Advice[] | undefined;
  readonly usedInstead?: string | undefined;
}

/** Reports every issue of a schema with the value at a path. */
export function reportIssues(error: z.ZodError, path: SettingsPath, report: Report): void {
  for (const { path: inside, message, advice } of issuesOf(error)) {
    report('error', [...path, ...inside], message, { advice });
  }
}

/** Something wrong inside a value: where, and what to write instead. */
export interface LocatedIssue {
  readonly path: SettingsPath;
  readonly message: string;
  readonly advice?: readonly Advice[];
}

/** The issues of a schema with a value. */
export function issuesOf(error: z.ZodError): readonly LocatedIssue[] {
  return error.issues.map((issue) => {
    // An invalid key of a record wraps the issue with our message.
    const message = issue.code === 'invalid_key' ? issue.issues[0]?.message : issue.message;
    const path = issue.path.filter((step) => typeof step !== 'symbol');
    const advice = issue.code === 'custom' ? adviceIn(issue.params) : undefined;
    return { path, message: message ?? issue.message, ...(advice && { advice }) };
  });
}

/** The advice of a rule; see `advising`. */
function adviceIn(params: Readonly<Record<string, unknown>> | undefined) {
  return params?.advice as readonly Advice[] | undefined;
}
