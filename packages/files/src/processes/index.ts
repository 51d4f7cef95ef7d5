export { isDroppedInstance, ownInstance } from './instance.ts';
export {
  findProcess,
  markVariable,
  type ProcessRow,
  parseProcessList,
  pidSpace,
  processTable,
} from './process-table.ts';
export { systemProgram } from './system-program.ts';
