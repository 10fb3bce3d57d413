import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { createWorkflow } from '../../data/workflows.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { ProjectField } from '../../ui/project-field.tsx';

/** Asks for a name, creates an empty workflow, and opens it. */
export function NewWorkflowDialog({ projectId, onClose }: { projectId: string | undefined; onClose(): void }) {
  const [name, setName] = useState('My workflow');
  const [project, setProject] = useState(projectId ?? '');
  const navigate = useNavigate();
  const create = () =>
    createWorkflow({
      name: name.trim(),
      nodes: [],
      connections: {},
      settings: { executionOrder: 'v1' },
      ...(project && { projectId: project }),
    });
  return (
    <ConfirmDialog
      onClose={onClose}
      title="New workflow"
      action="Create"
      disabled={name.trim() === ''}
      onConfirm={create}
      onDone={({ id }) => navigate({ to: '/workflows/$workflowId', params: { workflowId: id } })}
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
