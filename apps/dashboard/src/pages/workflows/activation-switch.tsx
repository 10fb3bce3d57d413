import { useState } from 'react';
import { activateWorkflow, deactivateWorkflow, readWorkflow, type Workflow } from '../../data/workflows.ts';
import { Switch } from '../../ui/fields.tsx';
import { toast } from '../../ui/toast.tsx';
import { useAction } from '../../ui/use-action.ts';
import { ActivatedDialog, hasNotes } from './activated-dialog.tsx';
import type { WorkflowEditor } from './use-workflow-editor.ts';

/** Saves changes and activates the shown version, or deactivates the workflow. */
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
