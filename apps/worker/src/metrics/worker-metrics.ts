import type { ExecutionStatus } from '@sluice/domain';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** How an execution has left a worker; `left`: it was no longer this worker's, or has been stopped. */
export type ExecutionEnd = ExecutionStatus | 'left';

/** What the process tells of itself. Counts only: nothing of users, their workflows or their data. */
export class WorkerMetrics {
  readonly #registry = new Registry();
  readonly #started: Counter;
  readonly #ended: Histogram<'status'>;

  /** `active`: how many executions the worker holds now. */
  constructor({ active }: { active: () => number }) {
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

  /** All of it, as Prometheus reads it. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
