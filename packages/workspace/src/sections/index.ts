export { type BindingChoice, bindingChoices } from './binding-choices.ts';
export { describeBinding } from './describe-binding.ts';
export {
  mayBeBound,
  mostProperties,
  type SectionBadge,
  sectionBadges,
} from './section-badges.ts';
