import type { Workflow } from '../../data/workflows.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { WarningList } from './warnings.tsx';

export const hasNotes = ({ urls = [], warnings = [] }: Workflow) => urls.length + warnings.length > 0;

/** The URLs of an activated workflow, and warnings about parts that a run rejects or ignores. */
export function ActivatedDialog({ workflow: { urls = [], warnings = [] }, onClose }: { workflow: Workflow; onClose(): void }) {
  return (
    <Dialog onClose={onClose} title="The workflow is active" footer={<Button onClick={onClose}>Close</Button>}>
      {urls.map(({ nodeName, methods, url }) => (
        <div key={`${nodeName} ${url}`} className="stack-small">
          <p>
            <strong>{nodeName}</strong> listens at this address ({methods.join(', ')}):
          </p>
          <div className="secret-once">
            <code>{url}</code>
            <CopyButton text={url} label="Copy the URL" />
          </div>
        </div>
      ))}
      {warnings.length > 0 && <WarningList warnings={warnings} />}
    </Dialog>
  );
}
