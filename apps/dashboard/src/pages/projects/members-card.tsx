import { useQuery } from '@tanstack/react-query';
import { UserMinus, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { hasRole, type Project, type ProjectRole } from '../../data/projects.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Select, SelectField, TextField } from '../../ui/fields.tsx';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useAction } from '../../ui/use-action.ts';
import { addMember, changeMember, type Member, memberList, removeMember } from './project-queries.ts';
import { roleOptions, roleTexts } from './roles.ts';

export function MembersCard({ project }: { project: Project }) {
  const members = useQuery(memberList(project.id));
  const [dialog, setDialog] = useState<'add' | Member>();
  const close = () => setDialog(undefined);
  const canChange = hasRole(project, 'project:admin') && project.type === 'team';
  const addButton = canChange && (
    <Button icon={<UserPlus size={14} />} onClick={() => setDialog('add')}>
      Add
    </Button>
  );
  return (
    <Card title={`Members${members.data ? ` · ${members.data.length}` : ''}`} actions={addButton}>
      <Loaded query={members} rows={3}>
        {(all) => (
          <ul className="members">
            {all.map((member) => (
              <MemberRow key={member.userId} member={member} canChange={canChange} onRemove={() => setDialog(member)} />
            ))}
          </ul>
        )}
      </Loaded>
      {dialog === 'add' && <AddDialog project={project} onClose={close} />}
      {typeof dialog === 'object' && <RemoveDialog project={project} member={dialog} onClose={close} />}
    </Card>
  );
}

function MemberRow({ member, canChange, onRemove }: { member: Member; canChange: boolean; onRemove(): void }) {
  const change = useAction('The role was not changed', async (role: ProjectRole) => {
    await changeMember(member, role);
    toast.success(`${member.email} is now ${roleTexts[role].toLowerCase()}`);
  });
  return (
    <li className="member">
      <span className="avatar" aria-hidden="true">
        {member.email.slice(0, 1).toUpperCase()}
      </span>
      <span className="grow truncate">{member.email}</span>
      {canChange ? (
        <Select
          aria-label={`Role of ${member.email}`}
          value={member.role}
          disabled={change.isBusy}
          onChange={(role) => change.run(role as ProjectRole)}
          options={Object.entries(roleTexts).map(([value, label]) => ({ value, label }))}
        />
      ) : (
        <span className="muted">{roleTexts[member.role]}</span>
      )}
      {canChange && (
        <IconButton label={`Remove ${member.email}`} onClick={onRemove}>
          <UserMinus size={15} />
        </IconButton>
      )}
    </li>
  );
}

function AddDialog({ project, onClose }: { project: Project; onClose(): void }) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<string>('project:editor');
  const add = async () => {
    await addMember(project.id, email.trim(), role as ProjectRole);
    toast.success(`${email.trim()} added`);
  };
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Add a member to “${project.name}”`}
      action="Add"
      disabled={email.trim() === ''}
      onConfirm={add}
    >
      <TextField label="Email" hint="The user must already exist." type="email" required value={email} onChange={setEmail} />
      <SelectField label="Role" value={role} onChange={setRole} options={roleOptions} />
    </ConfirmDialog>
  );
}

function RemoveDialog({ project, member, onClose }: { project: Project; member: Member; onClose(): void }) {
  const remove = async () => {
    await removeMember(member);
    toast.success(`${member.email} removed`);
  };
  return (
    <ConfirmDialog onClose={onClose} title={`Remove ${member.email}?`} action="Remove" danger onConfirm={remove}>
      <p>This user loses access to the workflows and credentials of “{project.name}”.</p>
    </ConfirmDialog>
  );
}
