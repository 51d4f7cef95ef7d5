import {
  Context,
  defaultOptions,
  type Filter,
  type FilterHandler,
  filters,
  type Operator,
  type TimeLimit,
  toValueSync,
  Value,
} from 'liquidjs/dist/liquid.browser.mjs';
import { nearestName } from '../nearest-name.ts';

/** What a template stands for, or what is wrong with it. */
export type RenderedTemplate =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'problem'; readonly message: string };

/**
 * The value of a text with Liquid's `{{ expressions }}`. One that is a single expression keeps its type; others are
 * text. An expression reads only own properties of what it is given; work and memory are limited. Liquid's tags are
 * left out: they would be most of the engine, and loops in values are nothing that a request needs. `others` are names
 * that exist without a value here: an unknown variable may mean one of them.
 */
export function renderTemplate(
  template: string,
  variables: Readonly<Record<string, unknown>>,
  others: readonly string[] = [],
): RenderedTemplate {
  try {
    if (template.includes('{%')) return { kind: 'problem', message: noTags };
    const limits = { renderLimit: timeLimit() };
    const context = new Context(variables, options, { sync: true }, limits);
    const evaluate = (expression: string): unknown =>
      toValueSync(new Value(expression, engine).value(context, false));
    const [, single] = singleExpression.exec(template) ?? [];
    if (single !== undefined) return { kind: 'value', value: evaluate(single) };
    let length = 0;
    // Openings that have no end would be searched again from each of them.
    const end = template.lastIndexOf('}}') + 2;
    const value = template.slice(0, end).replace(output, (_, expression: string) => {
      const text = textOf(evaluate(expression));
      length += text.length;
      // A large value that is named often would fill the memory.
      if (length > longestText) throw new Error('it stands for more than 16 million characters');
      return text;
    });
    return { kind: 'value', value: `${value}${template.slice(end)}` };
  } catch (error) {
    return { kind: 'problem', message: describeError(error, variables, others) };
  }
}

/** What is wrong with a template whatever its variables are; undefined when nothing is. */
export function findTemplateMistake(template: string): string | undefined {
  if (template.includes('{%')) return noTags;
  // A template with many openings and no end would be searched again from each of them.
  if (template.indexOf('{{', template.lastIndexOf('}}') + 1) !== -1) return notClosed;
  try {
    for (const [, expression = ''] of template.matchAll(output)) new Value(expression, engine);
    return undefined;
  } catch (error) {
    return describeError(error, {});
  }
}

const longestText = 16_000_000;
const notClosed = 'An expression begins with {{ and has no }}.';
const noTags = 'A template can have {{ expressions }}, but no {% tags %}.';
const output = /\{\{-?([\s\S]*?)-?\}\}/g;
const singleExpression = /^\s*\{\{-?((?:(?!\}\}|\{\{)[\s\S])*?)-?\}\}\s*$/;

const options = {
  ...defaultOptions,
  ownPropertyOnly: true,
  strictVariables: true,
  strictFilters: true,
  memoryLimit: 1_000_000,
  operators: mapValues(
    defaultOptions.operators,
    (operator): Operator =>
      (...operands) => {
        (operands.at(-1) as Context).renderLimit.check();
        return operator(...operands);
      },
  ),
};
/** What expressions need of the engine. */
const engine = {
  options,
  filters: mapValues(filters, (filter): Filter => {
    const { handler, ...rest } = typeof filter === 'function' ? { handler: filter } : filter;
    const limited: FilterHandler = function (...values) {
      this.context.renderLimit.check();
      return handler.apply(this, values);
    };
    return { ...rest, handler: limited };
  }),
};

/** In milliseconds; only hostile templates come near it, also on a busy machine. */
const longestTime = 500;

/** Is checked before each filter and operator: the engine itself looks at the time only between tags. */
function timeLimit(): TimeLimit {
  const deadline = Date.now() + longestTime;
  return {
    check: () => {
      if (Date.now() > deadline) throw new Error('time limit exceeded');
    },
  };
}

function mapValues<Value>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value) => Value,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
}

function describeError(
  error: unknown,
  variables: Readonly<Record<string, unknown>>,
  others: readonly string[] = [],
): string {
  const missing = missingVariable(error);
  if (missing === undefined) {
    return `The template cannot be used: ${error instanceof Error ? error.message : String(error)}.`;
  }
  const path = missing.split('.');
  const last = path.pop() ?? '';
  let parent: unknown = variables;
  for (const name of path) parent = isObject(parent) ? parent[name] : undefined;
  const names = isObject(parent) ? Object.keys(parent) : [];
  const meant = nearestName(last, path.length === 0 ? [...names, ...others] : names);
  if (meant !== undefined) {
    return `There is no "${missing}". Did you mean "${[...path, meant].join('.')}"?`;
  }
  const whole = path.join('.');
  return `There is no "${missing}".${path.length > 0 ? describeParts(whole, parent) : ''}`;
}

/** What a value has instead of the part that was asked for. */
function describeParts(name: string, value: unknown): string {
  if (!isObject(value)) return value === undefined ? '' : ` "${name}" has no parts.`;
  if (Array.isArray(value)) return ` "${name}" is a list of ${value.length}, from ${name}[0] on.`;
  const keys = Object.keys(value).filter((key) => /^[\w-]{1,40}$/.test(key));
  const more = keys.length > mostKeys ? ', …' : '';
  return keys.length === 0 ? '' : ` "${name}" has ${keys.slice(0, mostKeys).join(', ')}${more}.`;
}

const mostKeys = 10;

function missingVariable(error: unknown): string | undefined {
  if (!isObject(error) || !isObject(error['originalError'])) return undefined;
  const { variableName } = error['originalError'];
  return typeof variableName === 'string' ? variableName : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
