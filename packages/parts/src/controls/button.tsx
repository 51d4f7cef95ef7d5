import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import './button.css';
import { Icon, type IconName } from './icon.tsx';

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'icon'> {
  /** Default: `plain`. */
  readonly look?: 'primary' | 'plain' | 'danger' | 'quiet';
  readonly icon?: IconName;
  /** Shows only the icon; the children are its accessible name. */
  readonly isIconOnly?: boolean;
  readonly isSmall?: boolean;
  /** Ignores clicks but keeps the focus while work is pending. */
  readonly isBusy?: boolean;
  readonly children: ComponentChildren;
}

export function Button(props: ButtonProps) {
  const {
    look = 'plain',
    icon,
    isIconOnly,
    isSmall,
    isBusy,
    children,
    disabled,
    onClick,
    ...rest
  } = props;
  const classes = ['button', look, isSmall && 'is-small', isIconOnly && 'is-icon-only'];
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? ignore : onClick}
      class={classes.filter(Boolean).join(' ')}
      title={isIconOnly && typeof children === 'string' ? children : rest.title}
    >
      {icon && <Icon name={icon} />}
      <span class={isIconOnly ? 'visually-hidden' : undefined}>{children}</span>
    </button>
  );
}

/** Also prevents a second submit of the form. */
function ignore(event: Event): void {
  event.preventDefault();
}
