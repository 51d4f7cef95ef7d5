import { HostError, ParameterChecker } from '@errand/host';
import fc from 'fast-check';
import { SchemaWorker } from '../node/schema-worker.ts';

/** Parameters and schemas, both made to hurt, whose check ends otherwise than with a yes or with `invalid_params`. */
export async function findParameterFlaws(seed: number, count: number): Promise<readonly string[]> {
  await using worker = new SchemaWorker(50);
  const checker = new ParameterChecker(worker, { notify: () => {} });
  const property = fc.asyncProperty(schemaArbitrary, valueArbitrary, async (schema, value) => {
    const properties = JSON.parse(JSON.stringify({ value: schema }));
    const tool = { name: 'tool', inputSchema: { type: 'object', properties } };
    try {
      await checker.check('server', tool, { value });
    } catch (error) {
      if (!(error instanceof HostError) || error.code !== 'invalid_params') throw error;
      if (error.message.length > 20_000) throw new Error(`${error.message.length} characters`);
    }
  });
  const { failed, counterexample, errorInstance } = await fc.check(property, {
    seed,
    numRuns: count,
  });
  return failed ? [`${JSON.stringify(counterexample)}: ${errorInstance}`] : [];
}

const wide = fc
  .integer({ min: 0, max: 3_000 })
  .map((length) => Array(length).fill({ a: [1, 'x'] }));
const deep = fc.integer({ min: 0, max: 3_000 }).map((depth) => {
  let value: unknown = 'bottom';
  for (let level = 0; level < depth; level += 1) value = level % 2 ? [value] : { value };
  return value;
});
const valueArbitrary = fc.oneof(
  { weight: 200, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  { weight: 1, arbitrary: wide },
  { weight: 1, arbitrary: deep },
);

const manyChoices = Array.from({ length: 4_000 }, (_, index) => `choice ${index}`);

/** What makes the guard give up costs a thread each time. */
function seldom<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.oneof({ weight: 1_000, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

const { schema: schemaArbitrary } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.boolean(),
    fc.record({ type: fc.constantFrom('string', 'integer', 'array', 'object', 'nonsense', 5) }),
    fc.record(
      {
        properties: fc.dictionary(fc.constantFrom('value', 'a', '__proto__'), tie('schema')),
        items: tie('schema'),
        anyOf: fc.array(tie('schema'), { maxLength: 4 }),
        oneOf: fc.array(tie('schema'), { maxLength: 4 }),
        not: tie('schema'),
        contains: tie('schema'),
        enum: fc.oneof(
          { weight: 300, arbitrary: fc.array(fc.jsonValue(), { maxLength: 5 }) },
          { weight: 1, arbitrary: fc.constant(manyChoices) },
        ),
        const: fc.jsonValue(),
        uniqueItems: fc.boolean(),
        required: fc.oneof(fc.array(fc.string(), { maxLength: 2 }), fc.jsonValue()),
        pattern: seldom(fc.constantFrom('^(a+)+$', '(', '[a-z]*')),
        $ref: seldom(
          fc.constantFrom('#', '#/properties/value', '#/nowhere', 'https://elsewhere.example/x'),
        ),
        minimum: fc.oneof(fc.double(), fc.boolean(), fc.string()),
        multipleOf: fc.oneof(fc.double(), fc.constant(0), fc.constant(1e-300)),
        additionalProperties: tie('schema'),
        unevaluatedProperties: tie('schema'),
      },
      { requiredKeys: [] },
    ),
  ),
}));
