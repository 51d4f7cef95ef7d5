export { listModels } from './model/list-models.ts';
export type { ModelFailure } from './model/model-failure.ts';
export { testModel } from './model/test-model.ts';
