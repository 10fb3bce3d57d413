import { useQuery } from '@tanstack/react-query';
import { KeyRound, Pencil, Plus, Send, Trash2, Webhook } from 'lucide-react';
import { useMemo, useState } from 'react';
import { labelOf, type Project, projectList } from '../../data/projects.ts';
import { Button } from '../../ui/button.tsx';
import { actionsColumn, type Column } from '../../ui/data-table.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Empty } from '../../ui/states.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { DeliveriesDialog } from './deliveries-dialog.tsx';
import {
  CreateSubscriptionDialog,
  DeleteSubscriptionDialog,
  EditSubscriptionDialog,
  RotateSecretDialog,
} from './subscription-dialogs.tsx';
import { type Subscription, subscriptionList } from './subscription-queries.ts';

const dialogs = {
  deliveries: DeliveriesDialog,
  edit: EditSubscriptionDialog,
  rotate: RotateSecretDialog,
  delete: DeleteSubscriptionDialog,
};

type Open = { kind: 'create' } | { kind: keyof typeof dialogs; subscription: Subscription };

/** The URLs that receive events of the caller's projects. */
export function EventSubscriptionsPage() {
  const subscriptions = useQuery(subscriptionList);
  const projects = useQuery(projectList).data;
  const [open, setOpen] = useState<Open>();
  const columns = useMemo(() => columnsOf(projects ?? [], setOpen), [projects]);
  const close = () => setOpen(undefined);
  const createButton = (
    <Button kind="primary" icon={<Plus size={14} />} onClick={() => setOpen({ kind: 'create' })}>
      New subscription
    </Button>
  );
  const Dialog = open && open.kind !== 'create' ? dialogs[open.kind] : undefined;
  return (
    <ListPage
      title="Event subscriptions"
      query={subscriptions}
      action={createButton}
      columns={columns}
      rowKey={({ id }) => id}
      onOpen={(subscription) => setOpen({ kind: 'deliveries', subscription })}
      empty={
        <Empty icon={<Webhook size={20} />} title="No event subscriptions yet" action={createButton}>
          A subscription sends events of a project to a URL, for example each failed execution to a chat.
        </Empty>
      }
    >
      {open?.kind === 'create' && <CreateSubscriptionDialog onClose={close} />}
      {Dialog && open && 'subscription' in open && <Dialog subscription={open.subscription} onClose={close} />}
    </ListPage>
  );
}

function columnsOf(projects: readonly Project[], open: (dialog: Open) => void): Column<Subscription>[] {
  const labels = new Map(projects.map((project) => [project.id, labelOf(project)]));
  return [
    {
      id: 'name',
      header: 'Name',
      width: 'minmax(120px, 1fr)',
      sortBy: ({ name }) => name.toLowerCase(),
      cell: ({ name }) => <strong className="truncate">{name}</strong>,
    },
    {
      id: 'url',
      header: 'URL',
      width: 'minmax(140px, 2fr)',
      wideOnly: true,
      cell: ({ url }) => <code className="muted truncate">{url}</code>,
    },
    {
      id: 'events',
      header: 'Events',
      width: '64px',
      align: 'end',
      wideOnly: true,
      cell: ({ events }) => <span title={events.join(', ')}>{events.length}</span>,
    },
    {
      id: 'project',
      header: 'Project',
      width: 'minmax(100px, 1fr)',
      wideOnly: true,
      cell: ({ projectId }) => <span className="muted truncate">{labels.get(projectId) ?? projectId}</span>,
    },
    { id: 'state', header: 'State', width: '108px', cell: (subscription) => <State {...subscription} /> },
    actionsColumn((subscription) => (
      <Menu
        label={`Actions for ${subscription.name}`}
        entries={[
          { label: 'Deliveries', icon: <Send size={14} />, onSelect: () => open({ kind: 'deliveries', subscription }) },
          { label: 'Change', icon: <Pencil size={14} />, onSelect: () => open({ kind: 'edit', subscription }) },
          { label: 'Replace the secret', icon: <KeyRound size={14} />, onSelect: () => open({ kind: 'rotate', subscription }) },
          { label: 'Delete', icon: <Trash2 size={14} />, danger: true, onSelect: () => open({ kind: 'delete', subscription }) },
        ]}
      />
    )),
  ];
}

function State({ active, disabledReason }: Subscription) {
  if (active) return <Badge tone="success">Active</Badge>;
  return disabledReason === null ? <Badge>Inactive</Badge> : <Badge tone="error">Deactivated</Badge>;
}
