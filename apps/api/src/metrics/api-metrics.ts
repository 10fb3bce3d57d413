import { type QueueState, ReadCache } from '@sluice/db';
import { ProcessMetrics, type ProcessMetricsOptions } from '@sluice/telemetry/metrics';
import { Gauge, Histogram } from 'prom-client';

/** Milliseconds for which the state of the queue is cached between scrapes. */
const stateServesMs = 5_000;

interface ApiMetricsOptions extends ProcessMetricsOptions {
  /** If it fails, the metrics omit what it reads. */
  readQueueState: () => Promise<QueueState>;
}

/** Metrics of the process and the installation, without anything about users or their data. */
export class ApiMetrics extends ProcessMetrics {
  readonly #requests: Histogram<'method' | 'route' | 'status'>;

  constructor({ readQueueState, ...options }: ApiMetricsOptions) {
    super(options);
    this.#requests = new Histogram({
      name: 'sluice_http_request_duration_seconds',
      help: 'Time from a request to the end of its response; status `aborted`: the client disconnected first',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
      registers: [this.registry],
    });
    const states = new ReadCache<QueueState>({ ms: stateServesMs });
    this.#showQueue(() => states.get('', readQueueState));
  }

  requestEnded(labels: { method: string; route: string; status: string }, durationMs: number): void {
    this.#requests.observe(labels, durationMs / 1_000);
  }

  #showQueue(state: () => Promise<QueueState>): void {
    const series = <Label extends string>(
      name: string,
      help: string,
      {
        labelNames,
        values,
      }: { labelNames: readonly Label[]; values: (state: QueueState) => [Record<Label, string>, number | null][] },
    ) =>
      new Gauge<Label>({
        name,
        help,
        labelNames,
        registers: [this.registry],
        async collect() {
          this.reset();
          const queueState = await state().catch(() => undefined);
          for (const [labels, value] of queueState ? values(queueState) : []) if (value !== null) this.set(labels, value);
        },
      });
    series(
      'sluice_executions',
      'Executions of the whole installation that have not ended, counted up to 10000 for each status',
      {
        labelNames: ['status'],
        values: ({ counts }) => Object.entries(counts).map(([status, count]) => [{ status }, count]),
      },
    );
    series(
      'sluice_oldest_execution_seconds',
      'Age of the oldest execution: `new` since its creation, unless a limit blocks it; `running` since its start; `waiting` since it began to wait',
      {
        labelNames: ['status'],
        values: ({ oldest }) => Object.entries(oldest).map(([status, seconds]) => [{ status }, seconds]),
      },
    );
    series('sluice_oldest_queued_seconds', 'Age of the oldest queued execution, for the 20 projects that have waited longest', {
      labelNames: ['project'],
      values: ({ oldestByProject }) => oldestByProject.map(({ projectId: project, seconds }) => [{ project }, seconds]),
    });
    series('sluice_workers_live', 'Workers whose lease has not expired', {
      labelNames: [],
      values: ({ workers }) => [[{}, workers]],
    });
  }
}
