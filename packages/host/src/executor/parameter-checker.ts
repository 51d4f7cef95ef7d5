import { nearestName } from '@errand/document';
import type { ToolDescription } from '../connection.ts';
import { HostError } from '../host-error.ts';
import type { Notifier } from '../notifier.ts';
import { oneLine } from '../text/one-line.ts';
import { foreignReferences } from './foreign-references.ts';
import { hasKeyword, isRiskySchema, loosenSchema } from './loosen-schema.ts';
import { measureValue } from './measure-value.ts';
import type { ParameterProblem, Schema, SchemaGuard } from './schema-guard.ts';
import { validateValue } from './validate-value.ts';

/** Checks the parameters of calls against the tools' schemas, which strangers wrote. */
export class ParameterChecker {
  readonly #guard: SchemaGuard | undefined;
  readonly #notifier: Notifier;
  readonly #verdicts = new WeakMap<Schema, Verdict>();

  constructor(guard: SchemaGuard | undefined, notifier: Notifier) {
    this.#guard = guard;
    this.#notifier = notifier;
  }

  /** Throws `invalid_params` when the tool cannot take these parameters; most are checked at once. */
  check(
    server: string,
    tool: ToolDescription,
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<void> | undefined {
    if (tool.broken !== undefined) throw brokenTool(server, tool, tool.broken);
    const verdict = this.#verdict(server, tool);
    const { parts, depth } = measureValue(parameters, {
      parts: verdict.partsAtOnce,
      depth: deepestParameters,
    });
    if (depth > deepestParameters) throw tooDeep(server, tool);
    if (parts > verdict.partsAtOnce) return this.#checkLarge(server, tool, verdict, parameters);
    if (verdict.isGuarded) return this.#checkUnderGuard(server, tool, verdict, parameters);
    checkPlainly(server, tool, verdict.schema, parameters);
    return undefined;
  }

  /** So many parameters could hold up everything else; the guard says whether they fit, or the server does. */
  async #checkLarge(
    server: string,
    tool: ToolDescription,
    { schema }: Verdict,
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const problems = await this.#problems(server, tool, schema, parameters);
    if (problems !== undefined) return refuse(server, tool, problems);
    const message = `Parameters of ${server}/${tool.name} are too large to be checked here`;
    this.#notifier.notify({ level: 'info', message, detail: 'The server decides.', server });
  }

  async #problems(
    server: string,
    tool: ToolDescription,
    schema: Schema,
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<readonly ParameterProblem[] | undefined> {
    try {
      return await this.#guard?.check(schema, parameters);
    } catch (error) {
      throw brokenTool(server, tool, messageOf(error));
    }
  }

  async #checkUnderGuard(
    server: string,
    tool: ToolDescription,
    verdict: Verdict,
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const problems = await this.#problems(server, tool, verdict.schema, parameters);
    if (problems !== undefined) return refuse(server, tool, problems);
    const loose = loosenSchema(verdict.schema);
    this.#verdicts.set(tool.inputSchema, { ...verdict, isGuarded: false, schema: loose });
    this.#sayUnchecked(server, tool.name, 'patterns, formats and references', unsafe);
    checkPlainly(server, tool, loose, parameters);
  }

  #verdict(server: string, { name, inputSchema }: ToolDescription): Verdict {
    const known = this.#verdicts.get(inputSchema);
    if (known !== undefined) return known;
    const foreign = foreignReferences(inputSchema);
    if (foreign !== undefined) {
      this.#sayUnchecked(server, name, 'references to schemas elsewhere', unfetched);
    }
    const schema = foreign === undefined ? inputSchema : loosenSchema(inputSchema, foreign);
    const verdict = {
      isGuarded: isRiskySchema(schema),
      schema,
      partsAtOnce: partsAtOnce(schema),
    };
    this.#verdicts.set(inputSchema, verdict);
    return verdict;
  }

  #sayUnchecked(server: string, tool: string, what: string, detail: string): void {
    const message = `Parameters of ${server}/${tool} are checked without ${what}`;
    this.#notifier.notify({ level: 'info', message, detail, server });
  }
}

/**
 * What is wrong with parameters as far as that can be found out at once, in sentences. A call checks them again, and
 * whole: patterns, references, broken schemas and large values are left to it.
 */
export function findParameterMistakes(
  inputSchema: Schema,
  parameters: Readonly<Record<string, unknown>>,
): readonly string[] {
  const schema = looseSchemas.get(inputSchema) ?? loosenSchema(inputSchema);
  looseSchemas.set(inputSchema, schema);
  const most = partsAtOnce(schema);
  const { parts, depth } = measureValue(parameters, { parts: most, depth: deepestParameters });
  if (parts > most || depth > deepestParameters) return [];
  try {
    const problems = validateValue(schema, parameters);
    return problems.map((problem) => describeProblem(problem, { inputSchema }));
  } catch {
    return [];
  }
}

const looseSchemas = new WeakMap<Schema, Schema>();

/** What is checked of a tool's schema, and whether that is safe to do at once. */
interface Verdict {
  readonly isGuarded: boolean;
  readonly schema: Schema;
  /** Parameters with more parts than this are not checked on the main thread. */
  readonly partsAtOnce: number;
}

/** Deeper ones exhaust the stack of a validator, and of many servers. */
const deepestParameters = 500;

/** In the worst case every part of a value is compared with every part of the schema. */
function partsAtOnce(schema: Schema): number {
  const { parts } = measureValue(schema, { parts: comparisonsAtOnce, depth: comparisonsAtOnce });
  const most = comparisonsAtOnce / parts;
  // Each item is compared with each other one.
  const isQuadratic = hasKeyword(schema, (keyword) => keyword === 'uniqueItems');
  return isQuadratic ? Math.min(most, 500) : most;
}

/** About a tenth of a second. */
const comparisonsAtOnce = 200_000;

const unsafe =
  'That part of the schema cannot be checked safely here, or in time; the server decides.';
const unfetched = 'Errand never fetches a schema from another place; the server decides.';

function checkPlainly(
  server: string,
  tool: ToolDescription,
  schema: Schema,
  parameters: Readonly<Record<string, unknown>>,
): void {
  let problems: readonly ParameterProblem[];
  try {
    problems = validateValue(schema, parameters);
  } catch (error) {
    throw brokenTool(server, tool, messageOf(error));
  }
  refuse(server, tool, problems);
}

function refuse(
  server: string,
  tool: ToolDescription,
  problems: readonly ParameterProblem[],
): void {
  if (problems.length > 0) throw wrongParameters(server, tool, problems);
}

function wrongParameters(
  server: string,
  tool: ToolDescription,
  problems: readonly ParameterProblem[],
): HostError {
  const sentences = problems.slice(0, 5).map((problem) => describeProblem(problem, tool));
  const more = problems.length > 5 ? ` And ${problems.length - 5} more.` : '';
  return new HostError('invalid_params', sentences.join(' ') + more, {
    server,
    tool: tool.name,
    neverSent: true,
    ...(problems[0] && { path: problems[0].path }),
  });
}

function describeProblem(
  problem: ParameterProblem,
  tool: Pick<ToolDescription, 'inputSchema'>,
): string {
  const { path } = problem;
  if (problem.kind === 'unknown') {
    const known = Object.keys(tool.inputSchema['properties'] ?? {});
    const meant = nearestName(path, known);
    const advice = meant === undefined ? '' : ` Did you mean "${meant}"?`;
    return `The tool has no parameter "${path}".${advice}`;
  }
  if (problem.kind === 'missing') {
    const { type } = problem;
    return `"${path}" is required${type === undefined ? '' : ` (${typeNames[type] ?? type})`}.`;
  }
  const subject = path === '' ? 'The parameters' : `Parameter "${path}"`;
  return `${subject}: expected ${problem.expected}, got ${problem.actual}.`;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  array: 'list',
  object: 'mapping',
};

function tooDeep(server: string, tool: ToolDescription): HostError {
  const message = `The parameters are nested more than ${deepestParameters} levels deep. Pass a flatter value.`;
  return new HostError('invalid_params', message, { server, tool: tool.name, neverSent: true });
}

function brokenTool(server: string, tool: ToolDescription, why: string): HostError {
  return new HostError(
    'invalid_params',
    `Tool "${tool.name}" of server "${server}" cannot be called: its input schema is broken (${why}). ` +
      'Ask the author of the server to fix it.',
    { server, tool: tool.name, neverSent: true },
  );
}

/** It may quote a whole pattern of the schema. */
function messageOf(error: unknown): string {
  return oneLine(error instanceof Error ? error.message : String(error), 300);
}
