import type { ComponentProps, ReactNode } from 'react';
import { cx } from './cx.ts';
import { Tooltip } from './tooltip.tsx';

interface ButtonProps extends ComponentProps<'button'> {
  kind?: 'primary' | 'secondary' | 'quiet' | 'danger';
  icon?: ReactNode;
  /** Shows that the action runs, and prevents a second one. */
  busy?: boolean;
}

export function Button({ kind = 'secondary', icon, busy = false, className, children, disabled, ...rest }: ButtonProps) {
  return (
    <button type="button" className={cx('button', kind, className)} disabled={disabled || busy} aria-busy={busy} {...rest}>
      {busy ? <span className="spinner" aria-hidden="true" /> : icon}
      {children}
    </button>
  );
}

interface IconButtonProps extends ComponentProps<'button'> {
  /** Name for screen readers, and the text of the tooltip. */
  label: string;
}

export function IconButton({ label, className, children, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <button type="button" className={cx('icon-button', className)} aria-label={label} {...rest}>
        {children}
      </button>
    </Tooltip>
  );
}
