import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { hasRole } from '../../data/projects.ts';
import { createWorkflow } from '../../data/workflows.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { useProjects } from './use-workflows.ts';

/** Asks for a name, creates an empty workflow, and opens it. */
export function NewWorkflowDialog({ projectId, onClose }: { projectId: string | undefined; onClose(): void }) {
  const [name, setName] = useState('My workflow');
  const [project, setProject] = useState(projectId ?? '');
  const projects = useProjects().data?.filter((one) => hasRole(one, 'project:editor')) ?? [];
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
      open
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
      {projects.length > 1 && (
        <SelectField
          label="Project"
          value={project}
          onChange={setProject}
          options={[
            { value: '', label: 'My personal project' },
            ...projects.map(({ id, name: label }) => ({ value: id, label })),
          ]}
        />
      )}
    </ConfirmDialog>
  );
}
