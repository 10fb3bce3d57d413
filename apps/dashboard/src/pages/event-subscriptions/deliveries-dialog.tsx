import { RotateCw } from 'lucide-react';
import { useMemo } from 'react';
import { loadMore } from '../../data/load-more.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { useAction } from '../../ui/use-action.ts';
import './event-subscriptions.css';
import { type Delivery, replayDelivery, type Subscription, sendTestEvent, useDeliveries } from './subscription-queries.ts';

const tones: Record<Delivery['status'], string> = { pending: 'waiting', delivered: 'success', failed: 'error' };

/** The deliveries of the last week, with the responses of the receiver. */
export function DeliveriesDialog({ subscription: { id, name }, onClose }: { subscription: Subscription; onClose(): void }) {
  const deliveries = useDeliveries(id);
  const rows = useMemo(() => deliveries.data?.pages.flatMap(({ data }) => data) ?? [], [deliveries.data]);
  const test = useAction('The test event was not sent', async () => {
    await sendTestEvent(id);
    toast.success('Test event queued');
  });
  const footer = (
    <>
      <Button busy={test.isBusy} onClick={test.run}>
        Send a test event
      </Button>
      <Button kind="primary" onClick={onClose}>
        Close
      </Button>
    </>
  );
  return (
    <Dialog
      onClose={onClose}
      title={`Deliveries of “${name}”`}
      description="Of the last week. Failed deliveries are tried again for several days."
      size="large"
      footer={footer}
    >
      <div className="deliveries">
        <Loaded query={deliveries} rows={4}>
          {() => (
            <DataTable
              label="Deliveries"
              columns={columns}
              rows={rows}
              rowKey={({ id: deliveryId }) => deliveryId}
              onEnd={() => loadMore(deliveries)}
              empty={<Empty title="Nothing was sent yet" />}
            />
          )}
        </Loaded>
      </div>
    </Dialog>
  );
}

const columns: readonly Column<Delivery>[] = [
  { id: 'at', header: 'When', width: '92px', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { id: 'type', header: 'Event', width: 'minmax(130px, 1fr)', cell: ({ type }) => <code className="truncate">{type}</code> },
  { id: 'status', header: 'Status', width: '88px', cell: ({ status }) => <Badge tone={tones[status]}>{status}</Badge> },
  {
    id: 'response',
    header: 'Last response',
    width: 'minmax(120px, 1.4fr)',
    wideOnly: true,
    cell: ({ attempts }) => <span className="muted truncate">{responseOf(attempts)}</span>,
  },
  { id: 'again', header: <span className="sr-only">Actions</span>, width: '32px', cell: (row) => <Replay delivery={row} /> },
];

function responseOf(attempts: Delivery['attempts']): string {
  const last = attempts.at(-1);
  if (last === undefined) return 'not sent yet';
  const response = [last.status, last.error].filter((part) => part !== null).join(' ');
  return attempts.length > 1 ? `${response}, attempt ${attempts.length}` : response;
}

function Replay({ delivery }: { delivery: Delivery }) {
  const replay = useAction('The event was not sent again', async () => {
    await replayDelivery(delivery);
    toast.success('Event queued again');
  });
  return (
    <IconButton label="Send again" disabled={replay.isBusy} onClick={replay.run}>
      <RotateCw size={14} />
    </IconButton>
  );
}
