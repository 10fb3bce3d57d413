import {
  executionClaimed,
  groupCommitted,
  killReasons,
  limitCodes,
  limitHit,
  nodeRan,
  poolWaited,
  sandboxKilled,
  sweepFinds,
  sweepFound,
  triggerFailed,
  triggerKinds,
} from '@sluice/domain';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { BoundedLabels } from './bounded-labels.ts';

/** Maximum number of node types with their own series. */
const maxNodeTypes = 100;

export interface ProcessMetricsOptions {
  /** Number of statements waiting for a connection, per connection. */
  waitingStatements: () => number;
  /** Numbers of loaded packages of node types, and of failed ones; default: no packages. */
  packages?: { loaded: number; failed: number } | undefined;
}

/**
 * Metrics that API and worker share: Node.js metrics, and counts of the events that the packages
 * publish (`Observation`). Counts only: no user or workflow data.
 */
export class ProcessMetrics {
  readonly registry = new Registry();
  readonly #subscriptions: (() => void)[] = [];

  constructor({ waitingStatements, packages = { loaded: 0, failed: 0 } }: ProcessMetricsOptions) {
    collectDefaultMetrics({ register: this.registry });
    this.gauge(
      'sluice_database_pool_waiting',
      'Statements that wait for a database connection, per connection',
      waitingStatements,
    );
    this.#countPackages(packages);
    this.#observeExecutions();
    this.#observeDatabase();
    this.#observeFaults();
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** All metrics in the text format of Prometheus. */
  text(): Promise<string> {
    return this.registry.metrics();
  }

  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }

  /** Cancels its subscriptions; the counts remain readable. */
  close(): void {
    for (const end of this.#subscriptions.splice(0)) end();
  }

  #countPackages(packages: Record<string, number>): void {
    const gauge = new Gauge({
      name: 'sluice_node_packages',
      help: 'Packages of node types found at startup; `failed`: not loaded, the log has the reason',
      labelNames: ['status'],
      registers: [this.registry],
    });
    for (const [status, count] of Object.entries(packages)) gauge.set({ status }, count);
  }

  #observeExecutions(): void {
    const delays = this.#histogram('sluice_execution_start_delay_seconds', {
      help: 'Time from the creation or continuation of an execution until a worker claims it',
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1_800],
    });
    this.#subscriptions.push(executionClaimed.subscribe(({ waitMs }) => delays.observe(waitMs / 1_000)));
    const nodes = this.#histogram('sluice_node_duration_seconds', {
      help: 'Duration of node runs that were executed, retries included, by node type; `other`: beyond 100 types',
      labelNames: ['type'],
      buckets: [0.001, 0.01, 0.1, 1, 10, 60, 600],
    });
    const failures = this.#counter('sluice_node_failures_total', 'Failed node runs, by node type', 'type');
    const types = new BoundedLabels(maxNodeTypes);
    this.#subscriptions.push(
      nodeRan.subscribe(({ type: name, durationMs, failed }) => {
        const type = types.of(name);
        nodes.observe({ type }, durationMs / 1_000);
        if (failed) failures.inc({ type });
      }),
    );
  }

  #observeDatabase(): void {
    const sizes = this.#histogram('sluice_group_commit_size', {
      help: 'Number of writes that share a statement, by kind of write',
      labelNames: ['group'],
      buckets: [1, 2, 5, 10, 20, 50, 100, 200],
    });
    const waits = this.#histogram('sluice_database_pool_wait_seconds', {
      help: 'Time that statements waited for a database connection, of those that found none free',
      buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 2.5],
    });
    this.#subscriptions.push(
      groupCommitted.subscribe(({ group, size }) => sizes.observe({ group }, size)),
      poolWaited.subscribe(({ waitMs }) => waits.observe(waitMs / 1_000)),
    );
  }

  #observeFaults(): void {
    const finds = this.#counter('sluice_sweep_finds_total', 'What sweeps of this worker repaired', 'find', sweepFinds);
    const kills = this.#counter('sluice_sandbox_kills_total', 'Sandbox threads and processes killed', 'reason', killReasons);
    const limits = this.#counter(
      'sluice_limits_hit_total',
      'Requests and executions that a limit refused, ended, or delayed, by error code',
      'limit',
      limitCodes,
    );
    const triggers = this.#counter(
      'sluice_trigger_failures_total',
      'Failures of triggers, each of which is retried',
      'kind',
      triggerKinds,
    );
    this.#subscriptions.push(
      sweepFound.subscribe(({ find, count }) => finds.inc({ find }, count)),
      sandboxKilled.subscribe(({ reason }) => kills.inc({ reason })),
      limitHit.subscribe(({ limit }) => limits.inc({ limit })),
      triggerFailed.subscribe(({ kind }) => triggers.inc({ kind })),
    );
  }

  #histogram<Label extends string = never>(
    name: string,
    options: { help: string; buckets: number[]; labelNames?: readonly Label[] },
  ): Histogram<Label> {
    return new Histogram({ name, ...options, registers: [this.registry] });
  }

  /** `values`: label values that start at 0, so that their first increase is visible. */
  #counter<Label extends string>(name: string, help: string, label: Label, values: readonly string[] = []): Counter<Label> {
    const counter = new Counter<Label>({ name, help, labelNames: [label], registers: [this.registry] });
    for (const value of values) counter.inc({ [label]: value } as Record<Label, string>, 0);
    return counter;
  }
}
