import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from './dialog.tsx';
import { TextField } from './fields.tsx';

interface NameDialogProps<T> {
  title: string;
  /** Text of the button. Default: `Create` or `Rename`. */
  action?: string;
  hint?: string;
  /** Current name; absent for a new object. */
  name?: string;
  onClose(): void;
  /** Receives the trimmed name. */
  onSave(name: string): Promise<T>;
  /** Receives the result. Default: closes. */
  onDone?(result: T): unknown;
  /** Above the field. */
  children?: ReactNode;
}

/** Asks for the name of a new object, or for a new name. */
export function NameDialog<T>(props: NameDialogProps<T>) {
  const { title, name: before, action = before === undefined ? 'Create' : 'Rename' } = props;
  const { hint, onClose, onSave, onDone = onClose, children } = props;
  const [text, setText] = useState(before ?? '');
  const name = text.trim();
  return (
    <ConfirmDialog
      onClose={onClose}
      title={title}
      action={action}
      disabled={name === '' || name === before}
      onConfirm={() => onSave(name)}
      onDone={onDone}
    >
      {children}
      <TextField label="Name" hint={hint} required maxLength={128} value={text} onChange={setText} />
    </ConfirmDialog>
  );
}
