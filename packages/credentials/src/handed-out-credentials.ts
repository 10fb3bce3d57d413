import { TimeSlice } from '@sluice/domain';
import type { HttpAuthentication, HttpClient, HttpDestination, HttpRequest } from '@sluice/node-sdk';
import { SecretScrubber } from '@sluice/vault';
import type { OpenedCredential } from './credential-opener.ts';

/** Checks where a credential may be sent; empty: to any host. */
export type HostChecks = Pick<HttpAuthentication, 'assertAllowed' | 'assertRedirectAllowed'>;

interface HandedOut {
  secrets: OpenedCredential['secrets'];
  checks: HostChecks;
  scrubber: SecretScrubber;
}

/** Shorter secrets occur in requests by chance. */
const minSecretLength = 8;
/** Bytes of a body that are searched at once, and how far the pieces overlap. */
const pieceBytes = 256 * 1024;
const overlapBytes = 16 * 1024;

/**
 * Credentials whose data nodes received, so that they can put a secret into a request themselves.
 * A request with such a secret may go to an allowed host of its credential only, as if the
 * credential had been attached. Streamed bodies are not searched.
 */
export class HandedOutCredentials {
  readonly #held = new Map<string, HandedOut>();
  readonly #clients = new WeakMap<HttpClient, HttpClient>();

  /** Replaces what was handed out under the same key. */
  add(key: string, secrets: OpenedCredential['secrets'], checks: HostChecks): void {
    if (this.#held.get(key)?.secrets === secrets) return;
    const scrubber = new SecretScrubber({ minLength: minSecretLength });
    scrubber.add(secrets);
    this.#held.set(key, { secrets, checks, scrubber });
  }

  /** The client, with these checks. The same one for the same client. */
  guarded(http: HttpClient): HttpClient {
    const known = this.#clients.get(http);
    if (known) return known;
    const client: HttpClient = {
      request: async (request, signal) => http.request(await this.#limited(request, signal), signal),
      stream: async (request, signal, read) => http.stream(await this.#limited(request, signal), signal, read),
      guard: http.guard,
    };
    this.#clients.set(http, client);
    return client;
  }

  async #limited(request: HttpRequest, signal: AbortSignal): Promise<HttpRequest> {
    const held = [...this.#held.values()];
    if (!held.some(({ checks }) => checks.assertAllowed)) return request;
    const carried: HostChecks[] = [];
    for (const { scrubber, checks } of held) {
      if (await occursInRequest(scrubber, request, signal)) carried.push(checks);
    }
    if (carried.length === 0) return request;
    return { ...request, authentication: withChecks(request.authentication, carried) };
  }
}

async function occursInRequest(
  scrubber: SecretScrubber,
  { url, headers = {}, body }: HttpRequest,
  signal: AbortSignal,
): Promise<boolean> {
  if (scrubber.isEmpty) return false;
  const head = [url, ...Object.entries(headers).flat(2)].join('\n');
  if (await scrubber.occursIn(head, signal)) return true;
  if (typeof body === 'string') return scrubber.occursIn(body, signal);
  return body instanceof Uint8Array && occursInBytes(scrubber, body, signal);
}

async function occursInBytes(scrubber: SecretScrubber, bytes: Uint8Array, signal: AbortSignal): Promise<boolean> {
  const slice = new TimeSlice();
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < buffer.length; at += pieceBytes) {
    if (await scrubber.occursIn(buffer.toString('utf8', at, at + pieceBytes + overlapBytes), signal)) return true;
    if (slice.isOver) await slice.next();
  }
  return false;
}

/** Two credentials may hold the same secret: the hosts of either are allowed. */
function withChecks(own: HttpAuthentication | undefined, carried: readonly HostChecks[]): HttpAuthentication {
  return {
    ...own,
    assertAllowed(destination) {
      own?.assertAllowed?.(destination);
      assertByAny(carried, 'assertAllowed', destination);
    },
    assertRedirectAllowed(destination) {
      own?.assertRedirectAllowed?.(destination);
      assertByAny(carried, 'assertRedirectAllowed', destination);
    },
  };
}

function assertByAny(carried: readonly HostChecks[], check: keyof HostChecks, destination: HttpDestination): void {
  const refusals = carried.flatMap((checks) => refusalOf(() => checks[check]?.(destination)));
  if (refusals.length === carried.length) throw refusals[0];
}

function refusalOf(check: () => void): unknown[] {
  try {
    check();
    return [];
  } catch (error) {
    return [error];
  }
}
