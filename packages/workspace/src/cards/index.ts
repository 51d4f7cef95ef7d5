export {
  type CardAction,
  type CardProblem,
  type CardSource,
  type CardView,
  describeCard,
} from './describe-card.ts';
