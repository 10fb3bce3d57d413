import { Server } from 'lucide-react';
import { counted, formatBytes, formatCount, formatDuration } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { isForbidden, useQueue, useWorkers, type Worker } from './use-overview.ts';

/** The live workers and the queue; only owners and admins of the instance may see them. */
export function Workers() {
  const workers = useWorkers();
  const queue = useQueue();
  if (isForbidden(workers.error)) return null;
  return (
    <Card
      title="Workers"
      actions={
        queue.data && (
          <span className="muted">
            {formatCount(queue.data.queued)} queued
            {queue.data.blocked > 0 && `, ${formatCount(queue.data.blocked)} wait for a limit`}
          </span>
        )
      }
    >
      <Loaded query={workers} rows={2}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon={<Server size={20} />} title="No worker is running">
              Start one with <code>sluice worker</code>.
            </Empty>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it
            <section className="worker-scroll" aria-label="Workers" tabIndex={0}>
              <table className="workers">
                <thead>
                  <tr>
                    <th scope="col">Worker</th>
                    <th scope="col">Load</th>
                    <th scope="col">Memory</th>
                    <th scope="col">Loop lag</th>
                    <th scope="col">Lease</th>
                    <th scope="col">Up since</th>
                    <th scope="col">Version</th>
                  </tr>
                </thead>
                <tbody>
                  {data.map((worker) => (
                    <WorkerRow key={worker.id} worker={worker} />
                  ))}
                </tbody>
              </table>
            </section>
          )
        }
      </Loaded>
    </Card>
  );
}

function WorkerRow({ worker }: { worker: Worker }) {
  const {
    hostname,
    pid,
    active,
    capacity,
    concurrency,
    memoryBytes,
    memoryLimitBytes,
    loopLagMs,
    leaseRemainingMs,
    startedAt,
  } = worker;
  return (
    <tr>
      <th scope="row">
        {hostname} <span className="muted">{pid}</span>
      </th>
      <td>
        <Meter
          value={active}
          of={capacity ?? concurrency}
          text={active === null ? '–' : `${active} of ${capacity ?? concurrency}`}
          label="Load"
        />
      </td>
      <td>
        <Meter
          value={memoryBytes}
          of={memoryLimitBytes}
          text={memoryBytes === null ? '–' : formatBytes(memoryBytes)}
          label="Memory"
        />
      </td>
      <td className={loopLagMs !== null && loopLagMs > 1_000 ? 'slower' : undefined}>
        {loopLagMs === null ? '–' : formatDuration(loopLagMs)}
      </td>
      <td>
        {leaseRemainingMs > 0 ? (
          <Badge tone="success">{formatDuration(leaseRemainingMs)} left</Badge>
        ) : (
          <Badge tone="error">expired</Badge>
        )}
      </td>
      <td>
        <Time at={startedAt} />
      </td>
      <td>
        <Version worker={worker} />
      </td>
    </tr>
  );
}

function Version({ worker: { version, packages } }: { worker: Worker }) {
  return (
    <>
      {version ?? '–'}
      {packages.length > 0 && (
        <span className="muted" title={packages.map((entry) => `${entry.name} ${entry.version}`).join('\n')}>
          {' '}
          + {counted(packages.length, 'package')}
        </span>
      )}
    </>
  );
}

function Meter({ value, of, text, label }: { value: number | null; of: number | null; text: string; label: string }) {
  return (
    <span className="meter">
      {value !== null && of !== null && <meter value={value} max={of} high={of * 0.9} aria-label={label} />}
      <span>{text}</span>
    </span>
  );
}
