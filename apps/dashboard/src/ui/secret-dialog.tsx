import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { ConfirmDialog, Dialog } from './dialog.tsx';

interface SecretDialogProps {
  title: string;
  size?: 'small' | 'medium';
  /** Text of the button, a verb: `Create key`. */
  action: string;
  disabled: boolean;
  /** Title of the dialog with the secret. */
  createdTitle: string;
  /** Name of the secret, for its copy button. */
  label: string;
  onClose(): void;
  /** Resolves to the secret, if there is one. */
  onCreate(): Promise<string | undefined>;
  children: ReactNode;
}

/** A form that creates a resource with a secret, and then shows the secret once. */
export function SecretDialog(props: SecretDialogProps) {
  const { title, size = 'small', action, disabled, createdTitle, label, onClose, onCreate, children } = props;
  const [secret, setSecret] = useState<string>();
  if (secret === undefined) {
    return (
      <ConfirmDialog
        onClose={onClose}
        title={title}
        size={size}
        action={action}
        disabled={disabled}
        onConfirm={onCreate}
        onDone={(created) => (created === undefined ? onClose() : setSecret(created))}
      >
        {children}
      </ConfirmDialog>
    );
  }
  const footer = (
    <Button kind="primary" onClick={onClose}>
      I have copied it
    </Button>
  );
  return (
    <Dialog onClose={onClose} title={createdTitle} footer={footer} staysOpen>
      <div className="stack-small">
        <p>
          Copy it now: it is <strong>not shown again</strong>.
        </p>
        <div className="secret-once">
          <code>{secret}</code>
          <CopyButton text={secret} label={`Copy: ${label}`} />
        </div>
      </div>
    </Dialog>
  );
}
