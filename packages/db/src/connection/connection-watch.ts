import { repeatedly, within } from '@sluice/domain';
import type pg from 'pg';
import type { DatabaseHosts } from './database-hosts.ts';

/** Pause between two checks, in milliseconds. */
export const intervalMs = 500;

interface WatchEvents {
  /** Called once when the server stops responding. */
  onDown(): void;
  /** Called after each check. */
  onBeat(): void;
}

/**
 * Detects within about two seconds that Postgres no longer responds, even if packets are silently
 * dropped, and within half a second that it is back.
 *
 * States: `up` → (no response to a ping for `silenceMs`) → `down` → (a ping responded) → `up`. It
 * starts as `up`. On the transition to `down`, the pool drops its sockets, so that everything in
 * flight fails at once instead of hanging. If writes are required, a read-only server does not
 * count as responding.
 */
export class ConnectionWatch {
  readonly #hosts: DatabaseHosts;
  readonly #config: pg.ClientConfig;
  readonly #events: WatchEvents;
  readonly #silenceMs: number;
  #client: pg.Client | undefined;
  #up = true;
  readonly #closing = new AbortController();

  constructor(hosts: DatabaseHosts, config: pg.ClientConfig, events: WatchEvents, silenceMs = 2_000) {
    this.#hosts = hosts;
    this.#config = config;
    this.#events = events;
    this.#silenceMs = silenceMs;
    // `#beat` never rejects: a server error counts as no response.
    repeatedly(() => this.#beat(), { pauseMs: intervalMs, signal: this.#closing.signal, onError: () => undefined });
  }

  get up(): boolean {
    return this.#up;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#drop();
  }

  async #beat(): Promise<void> {
    const responded = await this.#ping();
    if (this.#closing.signal.aborted) return;
    const wentDown = this.#up && !responded;
    this.#up = responded;
    if (wentDown) this.#events.onDown();
    this.#events.onBeat();
  }

  async #ping(): Promise<boolean> {
    const responded = (await within(this.#silenceMs, this.#anyResponds(), this.#closing.signal)) ?? false;
    if (!responded) void this.#drop();
    return responded;
  }

  /** Whether a server responds; the current one is tried first. */
  async #anyResponds(): Promise<boolean> {
    for (let tries = 0; tries < this.#hosts.count && !this.#closing.signal.aborted; tries += 1) {
      try {
        await this.#hosts.check(await this.#connected());
        return true;
      } catch {
        await this.#drop();
      }
    }
    return false;
  }

  async #connected(): Promise<pg.Client> {
    if (this.#client) return this.#client;
    const client = new this.#hosts.Client(this.#config);
    client.on('error', () => void this.#drop());
    this.#client = client;
    await client.connect();
    return client;
  }

  async #drop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }
}
