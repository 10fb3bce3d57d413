import { useQuery } from '@tanstack/react-query';
import { KeyRound, Pencil, Plus, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { session } from '../../data/session.ts';
import { Button } from '../../ui/button.tsx';
import { actionsColumn, type Column } from '../../ui/data-table.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Empty } from '../../ui/states.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { CreateKeyDialog, EditKeyDialog } from './key-dialogs.tsx';
import { type ApiKey, keyList, revokeKey, scopeList } from './key-queries.ts';
import './keys.css';
import { summaryOf } from './scopes.ts';

type OpenDialog = { kind: 'create' } | { kind: 'edit' | 'revoke'; apiKey: ApiKey };

/** The keys of the user. */
export function KeysPage() {
  const keys = useQuery(keyList);
  const all = useQuery(scopeList).data;
  const [dialog, setDialog] = useState<OpenDialog>();
  const columns = useMemo(() => columnsOf(all ?? [], setDialog), [all]);
  const close = () => setDialog(undefined);
  const createButton = (
    <Button kind="primary" icon={<Plus size={14} />} onClick={() => setDialog({ kind: 'create' })}>
      New key
    </Button>
  );
  return (
    <ListPage
      title="API keys"
      query={keys}
      action={createButton}
      columns={columns}
      rowKey={({ id }) => id}
      onOpen={(apiKey) => setDialog({ kind: 'edit', apiKey })}
      empty={<Empty icon={<KeyRound size={20} />} title="No keys" action={createButton} />}
    >
      {dialog?.kind === 'create' && <CreateKeyDialog onClose={close} />}
      {dialog?.kind === 'edit' && <EditKeyDialog apiKey={dialog.apiKey} onClose={close} />}
      {dialog?.kind === 'revoke' && <RevokeDialog apiKey={dialog.apiKey} onClose={close} />}
    </ListPage>
  );
}

/** The service shows a key as its first and last characters. */
function isOfSession({ apiKey }: ApiKey): boolean {
  const { key = '' } = session.get();
  const [start = '', end = ''] = apiKey.split(/\*+/);
  return start !== '' && key.startsWith(start) && key.endsWith(end);
}

function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose(): void }) {
  const revoke = async () => {
    await revokeKey(apiKey.id);
    toast.success(`Key “${apiKey.label}” revoked`);
  };
  return (
    <ConfirmDialog onClose={onClose} title={`Revoke “${apiKey.label}”?`} action="Revoke" danger onConfirm={revoke}>
      <p>Requests with this key are refused from now on. This cannot be undone.</p>
      {isOfSession(apiKey) && (
        <p className="field-error">You are probably signed in with this key. Revoking it signs you out.</p>
      )}
    </ConfirmDialog>
  );
}

function columnsOf(all: readonly string[], open: (dialog: OpenDialog) => void): Column<ApiKey>[] {
  return [
    {
      id: 'label',
      header: 'Label',
      width: 'minmax(150px, 2fr)',
      sortBy: ({ label }) => label.toLowerCase(),
      cell: (apiKey) => (
        <span className="row">
          <strong className="truncate">{apiKey.label}</strong>
          {isOfSession(apiKey) && <Badge tone="running">This session</Badge>}
        </span>
      ),
    },
    {
      id: 'key',
      header: 'Key',
      width: '156px',
      wideOnly: true,
      cell: ({ apiKey }) => <code className="muted">{apiKey}</code>,
    },
    { id: 'scopes', header: 'Scopes', width: '72px', wideOnly: true, cell: ({ scopes }) => summaryOf(scopes, all) },
    { id: 'expires', header: 'Expires', width: '92px', sortBy: expiryOf, cell: (apiKey) => <Expiry {...apiKey} /> },
    {
      id: 'used',
      header: 'Last used',
      width: '92px',
      wideOnly: true,
      sortBy: ({ lastUsedAt }) => lastUsedAt ?? '',
      cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : <span className="muted">never</span>),
    },
    { id: 'created', header: 'Created', width: '92px', wideOnly: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
    actionsColumn((apiKey) => (
      <Menu
        label={`Actions for ${apiKey.label}`}
        entries={[
          { label: 'Change', icon: <Pencil size={14} />, onSelect: () => open({ kind: 'edit', apiKey }) },
          { label: 'Revoke', icon: <Trash2 size={14} />, danger: true, onSelect: () => open({ kind: 'revoke', apiKey }) },
        ]}
      />
    )),
  ];
}

const expiryOf = ({ expiresAt }: ApiKey) => expiresAt ?? Number.POSITIVE_INFINITY;
const week = 7 * 86_400_000;

function Expiry({ expiresAt }: ApiKey) {
  if (expiresAt === null) return <span className="muted">never</span>;
  const left = expiresAt * 1_000 - Date.now();
  if (left <= 0) return <Badge tone="error">Expired</Badge>;
  const time = <Time at={new Date(expiresAt * 1_000).toISOString()} />;
  return left < week ? <Badge tone="waiting">{time}</Badge> : time;
}
