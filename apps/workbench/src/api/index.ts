export type { WorkbenchEvent } from '../contract.ts';
