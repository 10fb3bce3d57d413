import type { IncomingMessage, ServerResponse } from 'node:http';
import { LoopbackService } from '@sluice/http-client/testing';

type Behavior = 'respond' | 'hold' | 'fail';

/**
 * An HTTP server for requests of the nodes under test. Each path returns 200 with `{"path": …}`
 * unless it is set to `hold` (clients hang until `respond`) or to `fail` (500).
 */
export class LoopbackServer extends LoopbackService {
  readonly #behaviors = new Map<string, Behavior>();
  readonly #held = new Map<string, Set<ServerResponse>>();
  readonly #calls = new Map<string, number>();
  readonly #lostAt = new Map<string, number[]>();

  static start(): Promise<LoopbackServer> {
    return new LoopbackServer().listen();
  }

  /** Number of requests to a path. */
  calls(path: string): number {
    return this.#calls.get(path) ?? 0;
  }

  /** Number of clients that wait for a response from a path. */
  waiting(path: string): number {
    return this.#held.get(path)?.size ?? 0;
  }

  /** Times (`performance.now()`) at which held clients of a path disconnected. */
  lostAt(path: string): readonly number[] {
    return this.#lostAt.get(path) ?? [];
  }

  hold(path: string): void {
    this.#behaviors.set(path, 'hold');
  }

  fail(path: string): void {
    this.#behaviors.set(path, 'fail');
  }

  /** Responds to waiting clients and future requests. */
  respond(path: string): void {
    this.#behaviors.set(path, 'respond');
    for (const response of this.#held.get(path) ?? []) send(response, 200, path);
  }

  respondToAll(): void {
    for (const path of this.#behaviors.keys()) this.respond(path);
  }

  protected handle({ url: path = '/' }: IncomingMessage, response: ServerResponse): void {
    this.#calls.set(path, this.calls(path) + 1);
    const behavior = this.#behaviors.get(path) ?? 'respond';
    if (behavior === 'hold') this.#keep(path, response);
    else send(response, behavior === 'fail' ? 500 : 200, path);
  }

  #keep(path: string, response: ServerResponse): void {
    const responses = this.#held.get(path) ?? new Set();
    this.#held.set(path, responses.add(response));
    response.once('close', () => {
      responses.delete(response);
      if (!response.writableEnded) this.#lostAt.set(path, [...this.lostAt(path), performance.now()]);
    });
  }
}

function send(response: ServerResponse, status: number, path: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ path }));
}
