import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { hasRole, labelOf, type Project, projectList } from '../../data/projects.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Page } from '../../ui/page.tsx';
import { Pending } from '../../ui/states.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { toast } from '../../ui/toast.tsx';
import { MembersCard } from './members-card.tsx';
import { deleteProject, project as projectQuery } from './project-queries.ts';
import { ProjectSettings } from './project-settings.tsx';
import './projects.css';

/** One project: its members, name, and limits. */
export function ProjectPage() {
  const { projectId = '' } = useParams({ strict: false });
  const query = useQuery(projectQuery(projectId));
  const project = query.data;
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  const back = <BackLink to="/projects" label="All projects" />;
  if (project === undefined) {
    return (
      <Page title="Project" before={back}>
        <Pending query={query} />
      </Page>
    );
  }
  const isTeam = project.type === 'team';
  const deleteButton = (
    <Button
      kind="danger"
      icon={<Trash2 size={14} />}
      disabled={!hasRole(project, 'project:admin')}
      onClick={() => setDeleting(true)}
    >
      Delete
    </Button>
  );
  return (
    <Page
      title={project.name}
      before={back}
      after={<Badge>{isTeam ? 'Team' : 'Personal'}</Badge>}
      actions={isTeam && deleteButton}
    >
      <div className="columns">
        <MembersCard project={project} />
        <div className="stack">
          <ProjectSettings key={project.id} project={project} />
        </div>
      </div>
      {isDeleting && (
        <DeleteDialog
          project={project}
          onClose={() => setDeleting(false)}
          onDeleted={() => void navigate({ to: '/projects', ignoreBlocker: true })}
        />
      )}
    </Page>
  );
}

interface DeleteDialogProps {
  project: Project;
  onClose(): void;
  onDeleted(): void;
}

function DeleteDialog({ project, onClose, onDeleted }: DeleteDialogProps) {
  const others = useQuery(projectList).data?.filter(({ id }) => id !== project.id) ?? [];
  const [target, setTarget] = useState('');
  const remove = async () => {
    await deleteProject(project.id, target || undefined);
    toast.success(`Project “${project.name}” deleted`);
    onDeleted();
  };
  return (
    <ConfirmDialog onClose={onClose} title={`Delete “${project.name}”?`} action="Delete" danger onConfirm={remove}>
      <p>Its members lose access to it. A project with workflows or credentials needs another one that receives them.</p>
      <SelectField
        label="Move workflows, credentials, and data tables to"
        value={target}
        onChange={setTarget}
        options={[
          { value: '', label: 'Nowhere: the project is empty' },
          ...others.map((other) => ({ value: other.id, label: labelOf(other), disabled: !hasRole(other, 'project:editor') })),
        ]}
      />
    </ConfirmDialog>
  );
}
