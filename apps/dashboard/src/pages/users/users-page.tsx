import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Pencil, Trash2, UserPlus, Users } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { actionsColumn, type Column, timeColumn } from '../../ui/data-table.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { matches } from '../../ui/matches.ts';
import { Menu } from '../../ui/menu.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty } from '../../ui/states.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { CreateUserDialog, DeleteUserDialog, EditUserDialog } from './user-dialogs.tsx';
import { roleTexts, type User, userList } from './user-queries.ts';

type OpenDialog = { kind: 'create' } | { kind: 'edit' | 'delete'; user: User };

/** The users of the instance; for owners and admins. */
export function UsersPage() {
  const navigate = useNavigate();
  const { q = '' } = useSearch({ strict: false });
  const users = useQuery(userList);
  const [dialog, setDialog] = useState<OpenDialog>();
  const columns = useMemo(() => columnsOf(setDialog), []);
  const close = () => setDialog(undefined);
  const createButton = (
    <Button kind="primary" icon={<UserPlus size={14} />} onClick={() => setDialog({ kind: 'create' })}>
      New user
    </Button>
  );
  return (
    <ListPage
      title="Users"
      query={users}
      filter={({ email }) => matches(q, [email])}
      action={createButton}
      toolbar={
        <SearchField
          label="Search users"
          value={q}
          onChange={(text) => void navigate({ to: '/users', search: { q: text }, replace: true })}
        />
      }
      columns={columns}
      rowKey={({ id }) => id}
      onOpen={(user) => setDialog({ kind: 'edit', user })}
      empty={<Empty icon={<Users size={20} />} title="No user matches" />}
    >
      {dialog?.kind === 'create' && <CreateUserDialog onClose={close} />}
      {dialog?.kind === 'edit' && <EditUserDialog user={dialog.user} onClose={close} />}
      {dialog?.kind === 'delete' && <DeleteUserDialog user={dialog.user} onClose={close} />}
    </ListPage>
  );
}

function columnsOf(open: (dialog: OpenDialog) => void): Column<User>[] {
  return [
    {
      id: 'email',
      header: 'Email',
      width: 'minmax(160px, 2fr)',
      sortBy: ({ email }) => email,
      cell: ({ email }) => <strong>{email}</strong>,
    },
    {
      id: 'role',
      header: 'Role',
      width: '110px',
      sortBy: ({ role }) => role,
      cell: ({ role }) => <Badge tone={role === 'member' ? 'neutral' : 'running'}>{roleTexts[role]}</Badge>,
    },
    { id: 'id', header: 'ID', width: '170px', wideOnly: true, cell: ({ id }) => <code className="muted">{id}</code> },
    timeColumn('Created', ({ createdAt }) => createdAt, { wideOnly: true }),
    actionsColumn((user) => (
      <Menu
        label={`Actions for ${user.email}`}
        entries={[
          { label: 'Change', icon: <Pencil size={14} />, onSelect: () => open({ kind: 'edit', user }) },
          { label: 'Delete', icon: <Trash2 size={14} />, danger: true, onSelect: () => open({ kind: 'delete', user }) },
        ]}
      />
    )),
  ];
}
