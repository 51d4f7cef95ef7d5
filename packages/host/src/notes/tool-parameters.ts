import { isRecord, type JsonObject } from '@errand/wire';
import type { ToolDescription } from '../connection.ts';

/** A parameter as people are shown it. */
export interface ToolParameter {
  readonly name: string;
  /** In words: `text`, `whole number`, `one of: a, b`, `list`. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  /** What the schema gives when nothing is said. */
  readonly standard?: unknown;
  readonly choices?: readonly unknown[];
}

/**
 * The parameters of a tool, the required ones first. Its schema is a stranger's and may be anything, also
 * huge: it is read once, and what came of it is the same each time.
 */
export function toolParameters({ inputSchema }: ToolDescription): readonly ToolParameter[] {
  const known = parametersOf.get(inputSchema) ?? readParameters(inputSchema);
  parametersOf.set(inputSchema, known);
  return known;
}

const parametersOf = new WeakMap<JsonObject, readonly ToolParameter[]>();

function readParameters(inputSchema: JsonObject): readonly ToolParameter[] {
  const properties = isRecord(inputSchema.properties) ? inputSchema.properties : {};
  const required = Array.isArray(inputSchema.required) ? inputSchema.required : [];
  const parameters = Object.entries(properties).map(([name, schema]) =>
    describe(name, isRecord(schema) ? schema : {}, required.includes(name)),
  );
  return parameters.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired));
}

/** The values that a parameter can be expected to get: its choices, or what it is when nothing is said. */
export function likelyValues({ type, standard, choices }: ToolParameter): readonly unknown[] {
  const values = choices ?? (type === booleanSchema ? [true, false] : []);
  return standard === undefined || values.includes(standard) ? values : [standard, ...values];
}

function describe(name: string, schema: JsonObject, isRequired: boolean): ToolParameter {
  const { description, default: standard } = schema;
  const choices = choicesOf(schema);
  return {
    name,
    type: typeText(schema),
    isRequired,
    description: typeof description === 'string' ? description : '',
    ...(standard !== undefined && { standard }),
    ...(choices && { choices }),
  };
}

function typeText(schema: JsonObject): string {
  const { type, anyOf, oneOf } = schema;
  const choices = choicesOf(schema);
  if (choices !== undefined) return choiceText(choices);
  const alternatives = [anyOf, oneOf].find(Array.isArray);
  if (alternatives !== undefined) {
    const words = alternatives.map((each) => (isRecord(each) ? typeText(each) : 'anything'));
    return [...new Set(words)].join(' or ');
  }
  const types = Array.isArray(type) ? type : [type];
  return types.map((each) => names.get(each) ?? 'anything').join(' or ');
}

/** The only values that a schema allows, written as a list, one value, or titled values one by one. */
function choicesOf(schema: JsonObject): readonly unknown[] | undefined {
  if (Array.isArray(schema.enum)) return schema.enum;
  if (schema.const !== undefined) return [schema.const];
  const alternatives = [schema.anyOf, schema.oneOf].find(Array.isArray);
  const values = alternatives?.map((each) => (isRecord(each) ? each.const : undefined));
  return values?.length && !values.includes(undefined) ? values : undefined;
}

function choiceText(choices: readonly unknown[]): string {
  const shown = choices.slice(0, maxChoices).map(String).join(', ');
  const more = choices.length - maxChoices;
  return `one of: ${shown}${more > 0 ? `, and ${more} more` : ''}`;
}

const maxChoices = 100;
const booleanSchema = 'true or false';
const names: ReadonlyMap<unknown, string> = new Map([
  ['array', 'list'],
  ['boolean', booleanSchema],
  ['integer', 'whole number'],
  ['null', 'nothing'],
  ['number', 'number'],
  ['object', 'mapping'],
  ['string', 'text'],
]);
