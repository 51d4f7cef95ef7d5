export {
  type BlockOptions,
  type Display,
  languageOf,
  type ResultForm,
} from './blocks/block-options.ts';
export { findToolBlocks } from './blocks/find-tool-blocks.ts';
export { insertBlock } from './blocks/insert-block.ts';
export { addMove, type Move, movedBlock, noMove } from './blocks/moved-block.ts';
export { type NoteBlocks, relocateBlocks } from './blocks/relocate-blocks.ts';
export { type RequestCursor, requestAt } from './blocks/request-at.ts';
export type { BlockProblem, BlockState, ToolBlock } from './blocks/tool-block.ts';
export { answerText, settledLength } from './conversation/answer-text.ts';
export { callBlock, requestBlock, type WrittenCall } from './conversation/call-block.ts';
export { type ConversationPosition, conversationAt } from './conversation/conversation-at.ts';
export {
  type Conversation,
  conversationKey,
  findConversations,
  openingOf,
  type Turn,
} from './conversation/find-conversations.ts';
export { type AnswerInProgress, answerTo, placeAnswer } from './conversation/place-answer.ts';
export { type TurnPart, turnParts } from './conversation/turn-parts.ts';
export {
  type AnswerPiece,
  type ConversationContext,
  writeAnswer,
  writeQuestion,
} from './conversation/write-answer.ts';
export { applyEdits, type TextEdit } from './edits.ts';
export { isTypo } from './is-typo.ts';
export { nearestName } from './nearest-name.ts';
export type {
  BrokenBinding,
  BrokenServer,
  KnownServer,
  NoteContext,
  SectionBinding,
} from './note-context.ts';
export {
  plainValue,
  type SourceList,
  type SourceMap,
  type SourceScalar,
  type SourceValue,
  textParams,
} from './params/source-value.ts';
export { typeParams } from './params/type-params.ts';
export { valueText } from './params/value-text.ts';
export { detachResult } from './results/detach-result.ts';
export { type FencedResult, findFencedResults } from './results/find-result.ts';
export { redrawResult } from './results/redraw-result.ts';
export { removeResult } from './results/remove-result.ts';
export type { ResultBlock, ResultType } from './results/result-block.ts';
export { embedOf, type ResultContent } from './results/result-lines.ts';
export { withoutResults } from './results/without-results.ts';
export { writeResult } from './results/write-result.ts';
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
export { rescan } from './scan/rescan.ts';
export { scan } from './scan/scan.ts';
export { bindSection, type SectionReference } from './sections/bind-section.ts';
export type { Binding, BindingOrigin, BindingProblem, BindingTarget } from './sections/binding.ts';
export type { WantedBinding } from './sections/binding-edits.ts';
export { type Decision, explainRefusal } from './sections/decision.ts';
export { matchDocumentPath } from './sections/match-document-path.ts';
export { sectionsNamed } from './sections/match-heading.ts';
export { matchesGlob } from './sections/matches-glob.ts';
export { resolveSections, type Section } from './sections/resolve-sections.ts';
export { shownAt } from './sections/shown-at.ts';
export { mayHoldBindings } from './sections/stray-bindings.ts';
export {
  findTemplateMistake,
  type RenderedTemplate,
  renderTemplate,
} from './templates/render-template.ts';
export { fenceFor, textFence } from './text-fence.ts';
