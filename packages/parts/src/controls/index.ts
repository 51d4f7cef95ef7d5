export { Badge, type Tone } from './badge.tsx';
export { Button } from './button.tsx';
export { CheckField } from './check-field.tsx';
export { Field } from './field.tsx';
export { Icon, type IconName } from './icon.tsx';
export { Parameters } from './parameters.tsx';
export { useFocusOnRefusal } from './use-focus-on-refusal.ts';
