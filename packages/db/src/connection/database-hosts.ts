import pg from 'pg';
import { parseDatabaseUrl } from './database-address.ts';

/**
 * The servers of one database. New clients connect to the current server until one of its clients
 * fails; then the next server becomes current. With `primaryOnly`, a read-only server counts as
 * failed.
 */
export class DatabaseHosts {
  readonly count: number;
  /** Whether a pooler in transaction mode is in between: a session keeps no state. */
  readonly pooled: boolean;
  /** Makes clients of the current server. */
  readonly Client: typeof pg.Client;
  readonly #urls: readonly string[];
  readonly #primaryOnly: boolean;
  readonly #urlOf = new WeakMap<pg.ClientBase, string>();
  #current = 0;

  /** `options`: see `parseDatabaseUrl`. */
  constructor(url: string, options?: { allowStandby?: boolean }) {
    const { urls, primaryOnly, pooled } = parseDatabaseUrl(url, options);
    this.#urls = urls;
    this.#primaryOnly = primaryOnly;
    this.count = urls.length;
    this.pooled = pooled;
    this.Client = clientOf(this);
  }

  get current(): string {
    return this.#urls[this.#current] as string;
  }

  /**
   * Connects a new client to the server `url`. If that fails, or writes are required and the server
   * is read-only, the next server becomes current.
   */
  async connect(client: pg.ClientBase, url: string, connecting: Promise<unknown>): Promise<void> {
    this.#urlOf.set(client, url);
    try {
      await connecting;
    } catch (error) {
      this.#leave(url);
      throw error;
    }
    if (this.#primaryOnly) await this.check(client);
  }

  /** Checks a connected client as `connect` does. */
  async check(client: pg.ClientBase): Promise<void> {
    try {
      const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
      if (this.#primaryOnly && rows[0]?.transaction_read_only === 'on') throw new ReadOnlyServerError();
    } catch (error) {
      this.#leave(this.#urlOf.get(client));
      throw error;
    }
  }

  /** Another client may have switched to the next server already. */
  #leave(url: string | undefined): void {
    if (url === this.current) this.#current = (this.#current + 1) % this.count;
  }
}

/** With the SQLSTATE of a write that the server refused. */
export class ReadOnlyServerError extends Error {
  readonly code = '25006';

  constructor() {
    super('the server accepts no writes');
  }
}

type OnConnected = ((error: Error) => void) & ((error: null, client: pg.Client) => void);

function clientOf(hosts: DatabaseHosts): typeof pg.Client {
  return class HostClient extends pg.Client {
    readonly #url: string;

    constructor(config: pg.ClientConfig = {}) {
      const url = hosts.current;
      super({ ...config, connectionString: url });
      this.#url = url;
      this.on('error', () => undefined); // the pool listens only after `connect`
    }

    override connect(): Promise<this>;
    override connect(callback: OnConnected): void;
    override connect(callback?: OnConnected): unknown {
      const connected = this.#connect();
      if (!callback) return connected;
      connected.then((client) => callback(null, client), callback as (error: Error) => void);
      return undefined;
    }

    async #connect(): Promise<this> {
      try {
        await hosts.connect(this as pg.Client, this.#url, super.connect());
        return this;
      } catch (error) {
        void this.end().catch(() => undefined);
        throw error;
      }
    }
  } as unknown as typeof pg.Client;
}
