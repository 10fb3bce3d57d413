import type { LiveCounts } from '@sluice/db';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Milliseconds for which a count of executions is cached, so that frequent scrapes do not load the database. */
const countServesMs = 5_000;

/** Number of node packages that were loaded, and of those that were rejected. */
interface PackageCounts {
  loaded: number;
  failed: number;
}

/** Metrics of the process. Counts only: nothing about users, their workflows, or their data. */
export class ApiMetrics {
  readonly #registry = new Registry();
  readonly #requests: Histogram<'method' | 'route' | 'status'>;

  /** If `countLive` fails, the response omits executions. */
  constructor(countLive: () => Promise<LiveCounts>, packages: PackageCounts = { loaded: 0, failed: 0 }) {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#requests = new Histogram({
      name: 'sluice_http_request_duration_seconds',
      help: 'Time from a request to the end of its response; status `aborted`: the client disconnected first',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
      registers,
    });
    new Gauge({
      name: 'sluice_node_packages',
      help: 'Packages of node types found at startup; `failed`: not loaded, the log has the reason',
      labelNames: ['status'],
      registers,
      collect() {
        for (const [status, count] of Object.entries(packages)) this.set({ status }, count);
      },
    });
    const recently = servingFor(countServesMs, countLive);
    new Gauge({
      name: 'sluice_executions',
      help: 'Executions of the whole installation that have not ended, counted up to 10000 for each status',
      labelNames: ['status'],
      registers,
      async collect() {
        this.reset();
        const counts = await recently().catch(() => ({}));
        for (const [status, count] of Object.entries(counts)) this.set({ status }, count);
      },
    });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  requestEnded(labels: { method: string; route: string; status: string }, durationMs: number): void {
    this.#requests.observe(labels, durationMs / 1_000);
  }

  /** All metrics in the text format of Prometheus. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }
}

/** Caches the result for `ms` milliseconds. A failure is not cached. */
function servingFor<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  let askedAt = 0;
  return () => {
    if (result && performance.now() - askedAt < ms) return result;
    askedAt = performance.now();
    const asked = ask();
    result = asked;
    asked.catch(() => {
      if (result === asked) result = undefined;
    });
    return asked;
  };
}
