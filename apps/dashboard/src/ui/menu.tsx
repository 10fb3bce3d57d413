import { Ellipsis } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';

interface MenuEntry {
  label: string;
  icon?: ReactNode;
  danger?: boolean;
  disabled?: boolean;
  onSelect(): void;
}

interface MenuProps {
  label: string;
  entries: readonly MenuEntry[];
  /** Content of the button; default: three dots. */
  children?: ReactNode;
}

/** A button with a menu, rendered only while it is open: long lists have one in each row. */
export function Menu({ label, entries, children }: MenuProps) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // A press outside of an open menu, as on the button, closes it; the click must not reopen it.
  const wasOpen = useRef(false);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    event.stopPropagation();
    setOpen(true);
  };
  return (
    <span className="menu-anchor">
      <button
        ref={button}
        type="button"
        className={children ? 'button secondary' : 'icon-button'}
        aria-haspopup="menu"
        aria-expanded={open}
        {...(!children && { 'aria-label': label, title: label })}
        onPointerDown={() => {
          wasOpen.current = open;
        }}
        onClick={() => {
          setOpen(!wasOpen.current);
          wasOpen.current = false;
        }}
        onKeyDown={onKeyDown}
      >
        {children ?? <Ellipsis size={15} />}
      </button>
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
              aria-label={label}
              onCloseAutoFocus={(event) => {
                event.preventDefault();
                button.current?.focus();
              }}
            >
              {entries.map(({ label: text, icon, danger = false, disabled, onSelect }) => (
                <Radix.Item
                  key={text}
                  className="menu-item"
                  data-danger={danger}
                  disabled={disabled}
                  onSelect={() => {
                    // The menu is gone when a dialog that the entry opens returns the focus.
                    button.current?.focus();
                    onSelect();
                  }}
                >
                  {icon}
                  {text}
                </Radix.Item>
              ))}
            </Radix.Content>
          </Radix.Portal>
        </Radix.Root>
      )}
    </span>
  );
}
