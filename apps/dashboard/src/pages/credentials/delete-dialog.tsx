import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Credential } from '../../data/credentials.ts';
import { ApiError } from '../../data/errors.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { deleteCredential } from './credential-queries.ts';

interface DeleteDialogProps {
  credential: Credential;
  onClose(): void;
  onDeleted(): void;
}

interface Use {
  id: string;
  name: string;
}

/** Names the workflows that use the credential before it deletes one in use. */
export function DeleteDialog({ credential: { id, name }, onClose, onDeleted }: DeleteDialogProps) {
  const [uses, setUses] = useState<readonly Use[]>();
  const remove = async () => {
    try {
      await deleteCredential(id, { force: uses !== undefined });
    } catch (error) {
      if (error instanceof ApiError && error.code === 'CREDENTIAL_IN_USE') setUses(usesOf(error));
      throw error;
    }
    toast.success(`Credential “${name}” deleted`);
    onDeleted();
  };
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete “${name}”?`}
      action={uses ? 'Delete although it is used' : 'Delete'}
      danger
      onConfirm={remove}
    >
      <p>Its data is erased. This cannot be undone.</p>
      {uses && uses.length > 0 && (
        <div>
          <p>These workflows use it and will fail without it:</p>
          <ul className="use-list">
            {uses.map((workflow) => (
              <li key={workflow.id}>
                <Link to="/workflows/$workflowId" params={{ workflowId: workflow.id }} className="link">
                  {workflow.name}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
    </ConfirmDialog>
  );
}

function usesOf({ details }: ApiError): Use[] {
  return details.map(({ path, message }) => ({ id: path.split('/').at(-1) ?? '', name: message }));
}
