import { DropdownMenu as Radix } from 'radix-ui';
import { cloneElement, type KeyboardEvent, type ReactElement, type ReactNode, useRef, useState } from 'react';

interface MenuEntry {
  label: string;
  icon?: ReactNode;
  danger?: boolean;
  disabled?: boolean;
  onSelect(): void;
}

interface TriggerProps {
  ref?: React.Ref<HTMLButtonElement>;
  'aria-haspopup'?: 'menu';
  'aria-expanded'?: boolean;
  onPointerDown?(): void;
  onClick?(): void;
  onKeyDown?(event: KeyboardEvent): void;
}

/** A menu below its button. It is rendered while it is open only: each row of a long list has one. */
export function Menu({ trigger, entries }: { trigger: ReactElement<TriggerProps>; entries: readonly MenuEntry[] }) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // A press on the button closes an open menu first, as one outside of it; the click must not open it again.
  const wasOpen = useRef(false);
  return (
    <span className="menu-anchor">
      {cloneElement(trigger, {
        ref: button,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        onPointerDown: () => {
          wasOpen.current = open;
        },
        onClick: () => {
          setOpen(!wasOpen.current);
          wasOpen.current = false;
        },
        onKeyDown: (event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          event.stopPropagation();
          setOpen(true);
        },
      })}
      {open && (
        <Radix.Root modal={false} open onOpenChange={setOpen}>
          <Radix.Trigger asChild>
            <span className="menu-place" aria-hidden="true" />
          </Radix.Trigger>
          <Radix.Portal>
            <Radix.Content
              className="menu"
              align="end"
              sideOffset={6}
              collisionPadding={8}
              aria-label={trigger.props['aria-label' as keyof TriggerProps] as string | undefined}
              onCloseAutoFocus={(event) => {
                event.preventDefault();
                button.current?.focus();
              }}
            >
              {entries.map(({ label, icon, danger = false, disabled, onSelect }) => (
                <Radix.Item key={label} className="menu-item" data-danger={danger} disabled={disabled} onSelect={onSelect}>
                  {icon}
                  {label}
                </Radix.Item>
              ))}
            </Radix.Content>
          </Radix.Portal>
        </Radix.Root>
      )}
    </span>
  );
}
