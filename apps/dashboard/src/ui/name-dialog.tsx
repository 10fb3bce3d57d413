import { useState } from 'react';
import { ConfirmDialog } from './dialog.tsx';
import { TextField } from './fields.tsx';

interface NameDialogProps {
  title: string;
  /** Current name; absent for a new object. */
  name?: string;
  onClose(): void;
  /** Receives the trimmed name. */
  onSave(name: string): Promise<unknown>;
}

/** Asks for the name of a new object, or for a new name. */
export function NameDialog({ title, name: before, onClose, onSave }: NameDialogProps) {
  const [text, setText] = useState(before ?? '');
  const name = text.trim();
  return (
    <ConfirmDialog
      onClose={onClose}
      title={title}
      action={before === undefined ? 'Create' : 'Rename'}
      disabled={name === '' || name === before}
      onConfirm={() => onSave(name)}
    >
      <TextField label="Name" required maxLength={128} value={text} onChange={setText} />
    </ConfirmDialog>
  );
}
