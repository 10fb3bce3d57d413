import type { HttpRequest } from '@sluice/node-sdk';
import { portOf } from './checked-url.ts';

/**
 * The service's public API, which the guard blocks as one of its own endpoints. Requests with a
 * credential for it reach it, by this URL only: other paths on the same server remain blocked.
 */
export class OwnApi {
  readonly #base: URL;

  constructor(url: string) {
    this.#base = new URL(url);
  }

  /** In the format of an `SSRF_ALLOW` entry. */
  get target(): string {
    return `${this.#base.hostname}:${portOf(this.#base)}`;
  }

  /**
   * The URL is compared as the parser normalizes it, so `..` in a path leaves the API. A proxy at
   * that address may also resolve an encoded path, so such paths are not covered.
   */
  covers({ url, proxy, authentication }: HttpRequest): boolean {
    if (authentication?.ownApi !== true || proxy !== undefined) return false;
    const target = URL.parse(url);
    if (target?.origin !== this.#base.origin || /%2[ef]|%5c|;/i.test(target.pathname)) return false;
    return target.pathname.startsWith(`${this.#base.pathname}/`);
  }
}
