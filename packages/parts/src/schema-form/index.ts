export { SchemaForm } from './schema-form.tsx';
export { type Params, useSchemaForm } from './use-schema-form.ts';
