import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { WorkflowWarning } from '../../data/workflows.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { counted } from '../../ui/format.ts';

/** Parts of a workflow that a run rejects or ignores. */
export function WarningList({ warnings }: { warnings: readonly WorkflowWarning[] }) {
  return (
    <ul className="warning-list" aria-label="Warnings">
      {warnings.map((warning) => (
        <Warning key={JSON.stringify(warning)} warning={warning} />
      ))}
    </ul>
  );
}

function Warning({ warning: { node, path, message, code } }: { warning: WorkflowWarning }) {
  return (
    <li className="warning-entry">
      <TriangleAlert size={14} />
      <span>
        {node && <strong>{node}: </strong>}
        {message}
        <span className="muted small">
          {' '}
          {code}
          {path && ` · ${path}`}
        </span>
      </span>
    </li>
  );
}

/** The warnings of the last save, in a dialog. */
export function WarningsButton({ warnings }: { warnings: readonly WorkflowWarning[] }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button className="warnings-button" icon={<TriangleAlert size={14} />} onClick={() => setOpen(true)}>
        {counted(warnings.length, 'warning')}
      </Button>
      {isOpen && (
        <Dialog
          onClose={close}
          title="Warnings"
          description="A run rejects or ignores some parts of the saved workflow:"
          footer={<Button onClick={close}>Close</Button>}
        >
          <WarningList warnings={warnings} />
        </Dialog>
      )}
    </>
  );
}
