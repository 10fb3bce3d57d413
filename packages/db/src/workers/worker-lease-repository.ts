import type pg from 'pg';
import { DatabaseHosts } from '../connection/database-hosts.ts';

/** Durations of leases, in milliseconds. */
export interface LeaseTerms {
  leaseMs: number;
  /** Duration of source leases. */
  sourceLeaseMs: number;
}

const leaseText = `UPDATE workers SET lease_expires_at = now() + $2 * interval '1 millisecond' WHERE id = $1`;
const sourcesText = `UPDATE trigger_sources SET held_until = now() + $2 * interval '1 millisecond'
WHERE worker_id = $1 AND hold_id IS NOT NULL`;

/**
 * Renews a worker's lease from a thread, over its own connection. Loads only the driver. Extends
 * existing leases only; `LeaseKeeper` on the event loop handles a lost one.
 */
export class WorkerLeaseRepository {
  readonly beatMs: number;
  readonly #hosts: DatabaseHosts;
  readonly #terms: LeaseTerms;
  #client: pg.Client | undefined;
  #isBusy = false;

  constructor(url: string, terms: LeaseTerms) {
    this.#hosts = new DatabaseHosts(url);
    this.#terms = terms;
    this.beatMs = Math.ceil(Math.min(terms.leaseMs, terms.sourceLeaseMs) / 3);
  }

  /**
   * Resolves to whether the lease was renewed; with `sources`, its source leases too. Does nothing
   * while a call is in flight.
   */
  async renew(workerId: string, { sources }: { sources: boolean }): Promise<boolean> {
    if (this.#isBusy) return false;
    this.#isBusy = true;
    try {
      const client = await this.#connected();
      await client.query(leaseText, [workerId, this.#terms.leaseMs]);
      if (sources) await client.query(sourcesText, [workerId, this.#terms.sourceLeaseMs]);
      return true;
    } catch {
      this.#drop();
      return false;
    } finally {
      this.#isBusy = false;
    }
  }

  async #connected(): Promise<pg.Client> {
    if (this.#client) return this.#client;
    const client = new this.#hosts.Client({
      application_name: 'sluice-worker-watchdog',
      keepAlive: true,
      connectionTimeoutMillis: this.beatMs,
      query_timeout: this.beatMs,
      ...(this.#hosts.pooled ? {} : { statement_timeout: this.beatMs }),
    });
    client.on('error', () => this.#drop());
    await client.connect();
    this.#client = client;
    return client;
  }

  #drop(): void {
    const client = this.#client;
    this.#client = undefined;
    client?.end().catch(() => undefined);
  }
}
