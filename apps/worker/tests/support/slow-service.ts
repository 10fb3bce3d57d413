import type { IncomingMessage, ServerResponse } from 'node:http';
import { LoopbackService } from '@sluice/http-client/testing';

/** A service that responds to no request before `release`. */
export class SlowService extends LoopbackService {
  #held: ServerResponse[] = [];
  #isReleased = false;
  /** Paths of all requests. */
  readonly paths: string[] = [];
  received = 0;
  mostAtOnce = 0;

  release(): void {
    this.#isReleased = true;
    this.respond(this.#held.length);
  }

  respond(count: number): void {
    for (const response of this.#held.splice(0, count)) response.end('{}');
  }

  override stop(): Promise<void> {
    this.release();
    return super.stop();
  }

  protected handle({ url = '' }: IncomingMessage, response: ServerResponse): void {
    this.received += 1;
    this.paths.push(url);
    if (this.#isReleased) response.end('{}');
    else this.#held.push(response);
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#held.length);
  }
}
