import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Credential } from '../../data/credentials.ts';
import { hasRole, labelOf, type Project, projectList } from '../../data/projects.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Checkbox, SelectField } from '../../ui/fields.tsx';
import { Loaded } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { shareCredential, transferCredential } from './credential-queries.ts';

interface DialogProps {
  credential: Credential;
  onClose(): void;
}

function useOtherProjects({ projectId }: Credential) {
  const query = useQuery(projectList);
  return { ...query, data: query.data?.filter(({ id }) => id !== projectId) };
}

/** Chooses projects that may use the credential. Projects the user cannot see keep access. */
export function ShareDialog({ credential, onClose }: DialogProps) {
  const projects = useOtherProjects(credential);
  const [chosen, setChosen] = useState<readonly string[]>(credential.sharedWithIds ?? []);
  const toggle = (id: string, isChosen: boolean) =>
    setChosen(isChosen ? [...chosen, id] : chosen.filter((other) => other !== id));
  const share = async () => {
    await shareCredential(credential.id, [...chosen]);
    toast.success(chosen.length === 0 ? 'Shared with no project' : `Shared with ${count(chosen.length)}`);
  };
  const action = chosen.length === 0 ? 'End all shares' : `Share with ${count(chosen.length)}`;
  return (
    <ConfirmDialog onClose={onClose} title={`Share “${credential.name}”`} action={action} onConfirm={share}>
      <p>Workflows of these projects may use the credential; its secrets stay hidden.</p>
      <Loaded query={projects} rows={2}>
        {(others) => (
          <fieldset className="check-list">
            <legend className="sr-only">Projects</legend>
            {others.length === 0 && <p className="muted">There is no other project that you can see.</p>}
            {others.map((project) => (
              <Checkbox
                key={project.id}
                label={labelOf(project)}
                checked={chosen.includes(project.id)}
                onChange={(isChosen) => toggle(project.id, isChosen)}
              />
            ))}
          </fieldset>
        )}
      </Loaded>
    </ConfirmDialog>
  );
}

const count = (projects: number) => (projects === 1 ? 'one project' : `${projects} projects`);

export function TransferDialog({ credential, onClose }: DialogProps) {
  const projects = useOtherProjects(credential);
  const [target, setTarget] = useState('');
  const transfer = async () => {
    await transferCredential(credential.id, target);
    toast.success('Credential transferred');
  };
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Transfer “${credential.name}”`}
      action="Transfer"
      disabled={target === ''}
      onConfirm={transfer}
    >
      <p>The new project owns the credential. Its shares end, and workflows elsewhere that use it will fail.</p>
      <Loaded query={projects} rows={1}>
        {(others) => (
          <SelectField
            label="Project"
            value={target}
            onChange={setTarget}
            options={[{ value: '', label: 'Choose …' }, ...choices(others)]}
          />
        )}
      </Loaded>
    </ConfirmDialog>
  );
}

function choices(projects: readonly Project[]) {
  return projects.map((project) => ({
    value: project.id,
    label: labelOf(project),
    disabled: !hasRole(project, 'project:editor'),
  }));
}
