export type { BlockOptions, Display, ResultForm } from './blocks/block-options.ts';
export { findToolBlocks } from './blocks/find-tool-blocks.ts';
export type { BlockProblem, BlockState, ToolBlock } from './blocks/tool-block.ts';
export { applyEdits, type TextEdit } from './edits.ts';
export type { KnownServer, NoteContext, SectionBinding } from './note-context.ts';
export {
  plainValue,
  type SourceList,
  type SourceMap,
  type SourceScalar,
  type SourceValue,
  textParams,
} from './params/source-value.ts';
export { type ParamProblem, type TypedParams, typeParams } from './params/type-params.ts';
export type { ResultBlock, ResultType } from './results/result-block.ts';
export { type ResultContent, type ResultEdit, writeResult } from './results/write-result.ts';
export type {
  BlockId,
  Comment,
  Container,
  Fence,
  Frontmatter,
  Heading,
  LiveResult,
  NoteScan,
  Region,
  Span,
} from './scan/note-scan.ts';
export { scan } from './scan/scan.ts';
