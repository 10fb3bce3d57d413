import { useState } from 'react';
import { activateWorkflow, deactivateWorkflow, readWorkflow, type Workflow } from '../../data/workflows.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Switch } from '../../ui/fields.tsx';
import { toast } from '../../ui/toast.tsx';
import { useAction } from '../../ui/use-action.ts';
import type { WorkflowEditor } from './use-workflow-editor.ts';

/** Activates the version that the page shows, after it has saved changes, or deactivates the workflow. */
export function ActivationSwitch({ editor }: { editor: WorkflowEditor }) {
  const { workflow, isDirty, isSaving } = editor;
  const { id, active } = workflow;
  const [activated, setActivated] = useState<Workflow>();
  const activate = async () => {
    const versionId = isDirty ? await editor.save() : editor.base.versionId;
    if (versionId === undefined) return;
    const changed = await activateWorkflow(id, { versionId });
    await editor.accept(await readWorkflow(id));
    if (hasNotes(changed)) setActivated(changed);
    else toast.success('Workflow activated');
  };
  const deactivate = async () => {
    await deactivateWorkflow(id);
    await editor.accept(await readWorkflow(id));
    toast.success('Workflow deactivated');
  };
  const title = active ? 'The workflow was not deactivated' : 'The workflow was not activated';
  const toggle = useAction(title, () => (active ? deactivate() : activate()));
  return (
    <>
      <Switch
        label={active ? 'Active' : isDirty ? 'Save and activate' : 'Activate'}
        checked={active}
        disabled={toggle.isBusy || isSaving}
        onChange={() => toggle.run()}
      />
      {activated && <ActivatedDialog workflow={activated} onClose={() => setActivated(undefined)} />}
    </>
  );
}

const hasNotes = ({ urls = [], warnings = [] }: Workflow) => urls.length + warnings.length > 0;

/** The URLs of an activated workflow, and warnings about parts that a run rejects or ignores. */
function ActivatedDialog({ workflow: { urls = [], warnings = [] }, onClose }: { workflow: Workflow; onClose(): void }) {
  return (
    <Dialog open onClose={onClose} title="The workflow is active" footer={<Button onClick={onClose}>Close</Button>}>
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
      {warnings.length > 0 && (
        <ul className="notice" aria-label="Warnings">
          {warnings.map(({ node, path, message }) => (
            <li key={`${node} ${path} ${message}`}>
              {node && <strong>{node}: </strong>}
              {message}
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
