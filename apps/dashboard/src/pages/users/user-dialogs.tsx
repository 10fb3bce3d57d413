import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { labelOf, projectList } from '../../data/projects.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Checkbox, SelectField, TextField } from '../../ui/fields.tsx';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { createUser, deleteUser, roleOptions, type User, updateUser } from './user-queries.ts';

type Role = User['role'];

/** Creates a user, and shows the first key once. */
export function CreateUserDialog({ onClose }: { onClose(): void }) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<string>('member');
  const [createApiKey, setCreateApiKey] = useState(true);
  const create = async () => {
    const { rawApiKey } = await createUser({ email: email.trim(), role: role as Role, createApiKey });
    toast.success(`User ${email.trim()} created`);
    return rawApiKey;
  };
  return (
    <SecretDialog
      title="New user"
      action="Create"
      disabled={email.trim() === ''}
      createdTitle={`First key of ${email.trim()}`}
      label="API key"
      onClose={onClose}
      onCreate={create}
    >
      <TextField label="Email" type="email" required maxLength={254} value={email} onChange={setEmail} />
      <SelectField label="Role" value={role} onChange={setRole} options={roleOptions} />
      <Checkbox label="Create a first key, with every scope" checked={createApiKey} onChange={setCreateApiKey} />
    </SecretDialog>
  );
}

export function EditUserDialog({ user, onClose }: { user: User; onClose(): void }) {
  const [email, setEmail] = useState(user.email);
  const [role, setRole] = useState<string>(user.role);
  const save = async () => {
    const body = {
      ...(email.trim() !== user.email && { email: email.trim() }),
      ...(role !== user.role && { role: role as Role }),
    };
    await updateUser(user.id, body);
    toast.success('User saved');
  };
  const isUnchanged = email.trim() === user.email && role === user.role;
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Change ${user.email}`}
      action="Save"
      disabled={email.trim() === '' || isUnchanged}
      onConfirm={save}
    >
      <TextField label="Email" type="email" required maxLength={254} value={email} onChange={setEmail} />
      <SelectField label="Role" value={role} onChange={setRole} options={roleOptions} />
    </ConfirmDialog>
  );
}

export function DeleteUserDialog({ user, onClose }: { user: User; onClose(): void }) {
  const projects = useQuery(projectList).data?.filter(({ id }) => id !== user.personalProjectId) ?? [];
  const [target, setTarget] = useState('');
  const remove = async () => {
    await deleteUser(user.id, target || undefined);
    toast.success(`User ${user.email} deleted`);
  };
  return (
    <ConfirmDialog onClose={onClose} title={`Delete ${user.email}?`} action="Delete" danger onConfirm={remove}>
      <p>All keys of this user are revoked. This cannot be undone.</p>
      <SelectField
        label="Move workflows, credentials, and data tables of the personal project to"
        value={target}
        onChange={setTarget}
        options={[
          { value: '', label: 'Nowhere: the project is empty' },
          ...projects.map((project) => ({ value: project.id, label: labelOf(project) })),
        ]}
      />
    </ConfirmDialog>
  );
}
