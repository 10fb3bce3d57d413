import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { labelOf, projectList } from '../../data/projects.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { Checkbox, SelectField, TextField } from '../../ui/fields.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { createUser, deleteUser, roleOptions, type User, updateUser } from './user-queries.ts';

type Role = User['role'];

/** Creates a user, and shows the first key once. */
export function CreateUserDialog({ onClose }: { onClose(): void }) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<string>('member');
  const [createApiKey, setCreateApiKey] = useState(true);
  const [state, setState] = useState<{ busy: boolean; error?: unknown; rawApiKey?: string }>({ busy: false });
  const create = async () => {
    setState({ busy: true });
    try {
      const { rawApiKey } = await createUser({ email: email.trim(), role: role as Role, createApiKey });
      toast.success(`User ${email.trim()} created`);
      if (rawApiKey === undefined) onClose();
      else setState({ busy: false, rawApiKey });
    } catch (error) {
      setState({ busy: false, error });
    }
  };
  if (state.rawApiKey !== undefined) {
    return (
      <Dialog
        open
        onClose={onClose}
        title={`First key of ${email.trim()}`}
        footer={<Button onClick={onClose}>Close</Button>}
        staysOpen
      >
        <SecretOnce text={state.rawApiKey} label="API key" />
      </Dialog>
    );
  }
  const footer = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button kind="primary" type="submit" busy={state.busy} disabled={email.trim() === ''}>
        Create
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title="New user" size="small" footer={footer} onSubmit={() => void create()}>
      <TextField label="Email" type="email" required maxLength={254} value={email} onChange={setEmail} />
      <SelectField label="Role" value={role} onChange={setRole} options={roleOptions} />
      <Checkbox label="Create a first key, with every scope" checked={createApiKey} onChange={setCreateApiKey} />
      {state.error !== undefined && <ErrorState error={state.error} />}
    </Dialog>
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
      open
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
    <ConfirmDialog open onClose={onClose} title={`Delete ${user.email}?`} action="Delete" danger onConfirm={remove}>
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
