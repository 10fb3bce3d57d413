import type pg from 'pg';

/**
 * Ends connections that do not respond to a statement, although Postgres would have ended the
 * statement by now: a firewall has dropped this connection only, or its server process hangs.
 */
export class StatementWatch {
  readonly #maxBeats: number;
  /** Connection → beats since its current statement began. */
  readonly #inFlight = new Map<pg.ClientBase, number>();

  constructor(maxBeats: number) {
    this.#maxBeats = maxBeats;
  }

  /** Call this when a statement is sent. A connection has one statement at a time. */
  begin(client: pg.ClientBase): void {
    this.#inFlight.set(client, 0);
  }

  /** Call this when its response has arrived, or its connection has failed. */
  end(client: pg.ClientBase): void {
    this.#inFlight.delete(client);
  }

  /**
   * Call this periodically. Counts calls instead of time: a response is not read while the event
   * loop is blocked.
   */
  beat(): void {
    for (const [client, beats] of this.#inFlight) {
      this.#inFlight.set(client, beats + 1);
      // The end of a connection with a statement in flight destroys its socket.
      if (beats >= this.#maxBeats) void (client as pg.Client).end().catch(() => undefined);
    }
  }
}
