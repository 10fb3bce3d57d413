import type { ExecutionStatus } from '@sluice/domain';
import { ProcessMetrics, type ProcessMetricsOptions } from '@sluice/telemetry/metrics';
import { Counter, Histogram } from 'prom-client';

/** How a poll ended; `skipped`: another worker has it, or its workflow is inactive. */
export type PollEnd = 'found' | 'nothing' | 'failed' | 'skipped';

/** Result of a listener's event. */
export type EventOutcome = 'started' | 'repeated' | 'refused';

/**
 * How an attempt ended on a worker; `relinquished`: this worker no longer owned it, or it was
 * stopped.
 */
type ExecutionEnd = ExecutionStatus | 'relinquished';

export interface WorkerGauges extends ProcessMetricsOptions {
  /** Number of executions in flight. */
  active: () => number;
  /** Current maximum number of concurrent executions from one queue. */
  concurrency: () => number;
  /** Number of active listeners. */
  listeners: () => number;
}

/** Metrics of the process. Counts only: no data of users or workflows. */
export class WorkerMetrics extends ProcessMetrics {
  readonly #started: Counter;
  readonly #ended: Histogram<'status'>;
  readonly #polls: Counter<'outcome'>;
  readonly #events: Counter<'outcome'>;

  constructor({ active, concurrency, listeners, ...options }: WorkerGauges) {
    super(options);
    const registers = [this.registry];
    this.gauge('sluice_worker_executions_active', 'Executions that the worker runs now', active);
    this.gauge('sluice_worker_concurrency', 'Executions that the worker may run at once now', concurrency);
    this.gauge('sluice_worker_listeners', 'Triggers that the worker listens for now', listeners);
    this.#started = new Counter({
      name: 'sluice_worker_executions_started_total',
      help: 'Executions that the worker has started or resumed',
      registers,
    });
    this.#ended = new Histogram({
      name: 'sluice_worker_execution_duration_seconds',
      help: 'Time that an execution was in flight in the worker, by the resulting status; `relinquished`: stopped or lost',
      labelNames: ['status'],
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300, 1_800],
      registers,
    });
    this.#polls = new Counter({
      name: 'sluice_worker_polls_total',
      help: 'Polls of triggers, by result; `skipped`: no longer to be run',
      labelNames: ['outcome'],
      registers,
    });
    this.#events = new Counter({
      name: 'sluice_worker_trigger_events_total',
      help: 'Events of listening triggers; `repeated`: their key had already started an execution; `refused`: they started none',
      labelNames: ['outcome'],
      registers,
    });
  }

  executionStarted(): void {
    this.#started.inc();
  }

  executionEnded(status: ExecutionEnd, durationMs: number): void {
    this.#ended.observe({ status }, durationMs / 1_000);
  }

  polled(outcome: PollEnd): void {
    this.#polls.inc({ outcome });
  }

  eventCame(outcome: EventOutcome): void {
    this.#events.inc({ outcome });
  }
}
