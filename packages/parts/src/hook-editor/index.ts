export { actionTypes } from './action-fields.ts';
export { HookForm } from './hook-form.tsx';
export type { HookFormPorts } from './hook-form-ports.ts';
export { HookTestView } from './hook-test-view.tsx';
