export { type BlockProblem, blockMistakes, blockProblem } from './block-problems.ts';
export {
  type CardAction,
  type CardProblem,
  type CardSource,
  type CardView,
  describeCard,
} from './describe-card.ts';
export { type RequestServer, requestServer } from './request-server.ts';
