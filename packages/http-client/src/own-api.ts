import type { HttpRequest } from '@sluice/node-sdk';
import { portOf } from './checked-url.ts';

/**
 * The public API of the service, which the guard blocks as an endpoint of its own. Requests with a
 * credential for it reach it, by this URL only: other paths of the same server stay blocked.
 */
export class OwnApi {
  readonly #base: URL;

  constructor(url: string) {
    this.#base = new URL(url);
  }

  /** As an entry of `SSRF_ALLOW`. */
  get target(): string {
    return `${this.#base.hostname}:${portOf(this.#base)}`;
  }

  /**
   * The URL is compared as the parser normalizes it, so `..` in a path leads out. A proxy at that address
   * may also resolve an encoded path, so those do not count.
   */
  covers({ url, proxy, authentication }: HttpRequest): boolean {
    if (authentication?.ownApi !== true || proxy !== undefined) return false;
    const target = URL.parse(url);
    if (target?.origin !== this.#base.origin || /%2[ef]|%5c|;/i.test(target.pathname)) return false;
    return target.pathname.startsWith(`${this.#base.pathname}/`);
  }
}
