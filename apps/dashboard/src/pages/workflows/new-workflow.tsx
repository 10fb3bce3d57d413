import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { createWorkflow } from '../../data/workflows.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { ProjectField } from '../../ui/project-field.tsx';

/** Asks for a name, creates an empty workflow, and opens it. */
export function NewWorkflowDialog({ projectId, onClose }: { projectId: string | undefined; onClose(): void }) {
  const [name, setName] = useState('My workflow');
  const [project, setProject] = useState(projectId ?? '');
  const navigate = useNavigate();
  const isDone = useRef(false);
  const create = async () => {
    const { id } = await createWorkflow({
      name: name.trim(),
      nodes: [],
      connections: {},
      settings: { executionOrder: 'v1' },
      ...(project && { projectId: project }),
    });
    isDone.current = true;
    await navigate({ to: '/workflows/$workflowId', params: { workflowId: id } });
  };
  return (
    <ConfirmDialog
      onClose={() => isDone.current || onClose()}
      title="New workflow"
      action="Create"
      disabled={name.trim() === ''}
      onConfirm={create}
    >
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        maxLength={128}
        required
        onFocus={(event) => event.target.select()}
      />
      <ProjectField value={project} onChange={setProject} />
    </ConfirmDialog>
  );
}
