import { Command } from 'cmdk';
import { Search } from 'lucide-react';
import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { focusReturn } from './focus-return.ts';

interface CommandDialogProps {
  /** For screen readers. */
  title: string;
  label: string;
  placeholder: string;
  text: string;
  onText(text: string): void;
  onClose(): void;
  /** False if the groups are already filtered by the text. */
  shouldFilter?: boolean;
  /** Groups of items. */
  children: ReactNode;
}

/** A modal list that is searched and operated by keyboard. */
export function CommandDialog(props: CommandDialogProps) {
  const { title, label, placeholder, text, onText, onClose, shouldFilter = true, children } = props;
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content className="palette" aria-describedby={undefined} {...focusReturn}>
          <Dialog.Title className="sr-only">{title}</Dialog.Title>
          <Command label={label} shouldFilter={shouldFilter} loop>
            <div className="palette-input">
              <Search size={16} />
              <Command.Input value={text} onValueChange={onText} placeholder={placeholder} />
            </div>
            <Command.List>{children}</Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
