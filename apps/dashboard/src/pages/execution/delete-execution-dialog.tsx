import { deleteExecutions } from '../../data/executions.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';

interface DeleteExecutionProps {
  id: string;
  onClose(): void;
  /** Default: closes. */
  onDone?(): unknown;
}

export function DeleteExecutionDialog({ id, onClose, onDone = onClose }: DeleteExecutionProps) {
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete execution ${id}?`}
      action="Delete"
      danger
      onConfirm={() => deleteExecutions([id])}
      onDone={onDone}
    >
      <p>Its data and files are deleted with it. This cannot be undone.</p>
    </ConfirmDialog>
  );
}
