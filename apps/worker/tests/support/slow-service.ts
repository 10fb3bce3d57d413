import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service that responds to no request before `release`. */
export class SlowService {
  readonly #server = createServer(({ url = '' }, response) => {
    this.received += 1;
    this.paths.push(url);
    if (this.#isReleased) response.end('{}');
    else this.#held.push(response);
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#held.length);
  });
  #held: ServerResponse[] = [];
  #isReleased = false;
  /** Paths of all requests. */
  readonly paths: string[] = [];
  received = 0;
  mostAtOnce = 0;

  async start(): Promise<string> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  release(): void {
    this.#isReleased = true;
    this.respond(this.#held.length);
  }

  respond(count: number): void {
    for (const response of this.#held.splice(0, count)) response.end('{}');
  }

  close(): void {
    this.release();
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
