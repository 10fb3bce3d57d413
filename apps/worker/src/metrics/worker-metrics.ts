import type { ExecutionStatus } from '@sluice/domain';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** How a poll ended; `left`: it is somebody else's, or its workflow is not active any more. */
export type PollEnd = 'found' | 'nothing' | 'failed' | 'left';

/** What an event of a listener has led to. */
export type EventOutcome = 'started' | 'repeated' | 'refused';

/** How an execution has left a worker; `left`: it was no longer this worker's, or has been stopped. */
export type ExecutionEnd = ExecutionStatus | 'left';

export interface WorkerGauges {
  /** How many executions the worker holds now. */
  active: () => number;
  /** How many triggers it listens for. */
  listeners: () => number;
  /** How many packages of node types work, and how many were left out. */
  packages?: { loaded: number; failed: number };
}

/** What the process tells of itself. Counts only: nothing of users, their workflows or their data. */
export class WorkerMetrics {
  readonly #registry = new Registry();
  readonly #started: Counter;
  readonly #ended: Histogram<'status'>;
  readonly #polls: Counter<'outcome'>;
  readonly #events: Counter<'outcome'>;

  constructor({ active, listeners, packages = { loaded: 0, failed: 0 } }: WorkerGauges) {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#started = new Counter({
      name: 'sluice_worker_executions_started_total',
      help: 'Executions that the worker has begun or gone on with',
      registers,
    });
    this.#ended = new Histogram({
      name: 'sluice_worker_execution_duration_seconds',
      help: 'Time that the worker had an execution, by the status that it then had; `left`: it was no longer to be run',
      labelNames: ['status'],
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300, 1_800],
      registers,
    });
    new Gauge({
      name: 'sluice_worker_executions_active',
      help: 'Executions that the worker runs now',
      registers,
      collect() {
        this.set(active());
      },
    });
    new Gauge({
      name: 'sluice_node_packages',
      help: 'Packages of node types that the process has found at its start; `failed`: left out, its log says why',
      labelNames: ['status'],
      registers,
      collect() {
        for (const [status, count] of Object.entries(packages)) this.set({ status }, count);
      },
    });
    this.#polls = new Counter({
      name: 'sluice_worker_polls_total',
      help: 'Polls of triggers, by how they ended; `left`: they were no longer to be made',
      labelNames: ['outcome'],
      registers,
    });
    this.#events = new Counter({
      name: 'sluice_worker_trigger_events_total',
      help: 'Events of listening triggers; `repeated`: their key had started an execution before; `refused`: they have started none',
      labelNames: ['outcome'],
      registers,
    });
    new Gauge({
      name: 'sluice_worker_listeners',
      help: 'Triggers that the worker listens for now',
      registers,
      collect() {
        this.set(listeners());
      },
    });
  }

  get contentType(): string {
    return this.#registry.contentType;
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

  /** All of it, as Prometheus reads it. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
