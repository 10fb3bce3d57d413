import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useUnsaved } from '../data/unsaved.ts';
import { Button, IconButton } from './button.tsx';
import { cx } from './cx.ts';
import { focusReturn } from './focus-return.ts';
import { ErrorState } from './states.tsx';
import { useSubmit } from './use-action.ts';
import { useChangedFields } from './use-changed-fields.ts';

interface DialogProps {
  onClose(): void;
  title: string;
  description?: ReactNode;
  size?: 'small' | 'medium' | 'large';
  children: ReactNode;
  /** Buttons at the end. */
  footer?: ReactNode;
  /** At Enter in a field, and at the button of type `submit`. */
  onSubmit?(): void;
  /** Closed only by its buttons, because it shows a secret only once. */
  staysOpen?: boolean;
  /** Its action runs; the dialog cannot be closed until it ends. */
  isBusy?: boolean;
}

/** Asks before changed fields are lost, except at a button of the footer. */
export function Dialog(props: DialogProps) {
  const { onClose, title, description, size = 'medium', children, footer, onSubmit } = props;
  const { staysOpen = false, isBusy = false } = props;
  const fields = useChangedFields();
  const [isAsking, setAsking] = useState(false);
  useUnsaved(!isBusy && fields.areChanged);
  const close = () => {
    if (isBusy) return;
    if (fields.areChanged()) setAsking(true);
    else onClose();
  };
  const discard = () => {
    setAsking(false);
    onClose();
  };
  const keepOpen = (event: Event) => staysOpen && event.preventDefault();
  const content = (
    <>
      <div className="dialog-body">{children}</div>
      {footer && <footer>{footer}</footer>}
    </>
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A dialog within a form is a part of that form for React, not for the document.
    event.stopPropagation();
    onSubmit?.();
  };
  return (
    <Radix.Root open onOpenChange={(next) => !next && close()}>
      <Radix.Portal>
        <Radix.Overlay className="overlay" />
        <Radix.Content
          className={cx('dialog', size)}
          onOpenAutoFocus={(event) => {
            focusReturn.onOpenAutoFocus();
            focusFirstField(event);
          }}
          onCloseAutoFocus={focusReturn.onCloseAutoFocus}
          onInteractOutside={keepOpen}
          onEscapeKeyDown={keepOpen}
          {...fields.listeners}
          {...(!description && { 'aria-describedby': undefined })}
        >
          <header>
            <Radix.Title asChild>
              <h2>{title}</h2>
            </Radix.Title>
            <Radix.Close asChild>
              <IconButton label="Close" disabled={isBusy}>
                <X size={15} />
              </IconButton>
            </Radix.Close>
          </header>
          {description && <Radix.Description className="dialog-description">{description}</Radix.Description>}
          {onSubmit ? (
            <form noValidate onSubmit={submit}>
              {content}
            </form>
          ) : (
            content
          )}
        </Radix.Content>
      </Radix.Portal>
      {isAsking && (
        <DiscardDialog title="Close without saving?" onCancel={() => setAsking(false)} onDiscard={discard}>
          What you entered is not saved yet.
        </DiscardDialog>
      )}
    </Radix.Root>
  );
}

interface DiscardProps {
  title: string;
  onCancel(): void;
  onDiscard(): void;
  isBusy?: boolean;
  /** Button that saves the changes, where that is possible. */
  save?: ReactNode;
  children: ReactNode;
}

/** Asks before changes are lost. */
export function DiscardDialog({ title, onCancel, onDiscard, isBusy = false, save, children }: DiscardProps) {
  const footer = (
    <>
      <Button onClick={onCancel} disabled={isBusy}>
        Cancel
      </Button>
      <Button kind="danger" onClick={onDiscard} disabled={isBusy}>
        Discard the changes
      </Button>
      {save}
    </>
  );
  return (
    <Dialog onClose={onCancel} title={title} size="small" footer={footer} isBusy={isBusy}>
      <p>{children}</p>
    </Dialog>
  );
}

/**
 * The first field, or else the first button at the end, instead of the button that closes the
 * dialog: its tooltip would open at once.
 */
function focusFirstField(event: Event): void {
  const dialog = event.currentTarget as HTMLElement | null;
  const first =
    dialog?.querySelector<HTMLElement>('.dialog-body :is(input, select, textarea):not([type=checkbox], :disabled)') ??
    dialog?.querySelector<HTMLElement>('footer button:not(:disabled)');
  if (!first) return;
  event.preventDefault();
  first.focus();
}

interface ConfirmProps<T> {
  onClose(): void;
  title: string;
  children?: ReactNode;
  /** Text of the button, a verb: `Delete`. */
  action: string;
  danger?: boolean;
  size?: DialogProps['size'];
  disabled?: boolean;
  /** The dialog shows the error when it rejects. */
  onConfirm(): Promise<T>;
  /** Receives the result. Default: closes. */
  onDone?(result: T): unknown;
}

/** Asks before an action. */
export function ConfirmDialog<T>(props: ConfirmProps<T>) {
  const { onClose, title, children, action, danger = false, size = 'small', disabled, onConfirm, onDone = onClose } = props;
  const confirm = useSubmit(async () => onDone(await onConfirm()));
  const footer = (
    <>
      <Button onClick={onClose} disabled={confirm.isBusy}>
        Cancel
      </Button>
      <Button kind={danger ? 'danger' : 'primary'} busy={confirm.isBusy} disabled={disabled} type="submit">
        {action}
      </Button>
    </>
  );
  return (
    <Dialog
      onClose={onClose}
      title={title}
      size={size}
      footer={footer}
      isBusy={confirm.isBusy}
      onSubmit={() => !disabled && !confirm.isBusy && confirm.run()}
    >
      {children}
      {confirm.error !== undefined && <ErrorState error={confirm.error} />}
    </Dialog>
  );
}
