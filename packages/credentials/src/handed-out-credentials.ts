import { TimeSlice } from '@sluice/domain';
import type { HttpAuthentication, HttpBodyStream, HttpClient, HttpDestination, HttpRequest } from '@sluice/node-sdk';
import { SecretScrubber } from '@sluice/vault';
import type { OpenedCredential } from './credential-opener.ts';

/** Checks where a credential may be sent; empty: to any host. */
export type HostChecks = Pick<HttpAuthentication, 'assertAllowed' | 'assertRedirectAllowed'>;

interface HandedOut {
  secrets: OpenedCredential['secrets'];
  checks: HostChecks;
  scrubber: SecretScrubber;
}

/** A request that may only go to allowed hosts. */
interface LimitedRequest {
  request: HttpRequest;
  /** The error that ended its streamed body. */
  refusal?: () => unknown;
}

type Check = keyof HostChecks;

/** Shorter secrets occur in requests by chance. */
const minSecretLength = 8;

/**
 * Credentials whose data nodes received, so that they can put a secret into a request themselves. A
 * request with such a secret may only go to an allowed host of its credential, as if the credential
 * had been attached. A streamed body is searched as it is sent, and is aborted before the secret.
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

  /** The client with these checks; always the same object for the same client. */
  guarded(http: HttpClient): HttpClient {
    const cached = this.#clients.get(http);
    if (cached) return cached;
    const client: HttpClient = {
      request: async (request, signal) =>
        orRefusal(await this.#limited(request, signal), (limited) => http.request(limited, signal)),
      stream: async (request, signal, read) =>
        orRefusal(await this.#limited(request, signal), (limited) => http.stream(limited, signal, read)),
      guard: http.guard,
    };
    this.#clients.set(http, client);
    return client;
  }

  async #limited(request: HttpRequest, signal: AbortSignal): Promise<LimitedRequest> {
    const handedOut = [...this.#held.values()].filter(({ scrubber }) => !scrubber.isEmpty);
    if (!handedOut.some(({ checks }) => checks.assertAllowed)) return { request };
    const carried: HostChecks[] = [];
    for (const { scrubber, checks } of handedOut) {
      if (await occursInRequest(scrubber, request, signal)) carried.push(checks);
    }
    if (isStream(request.body)) return withSearchedBody(request, request.body, { handedOut, carried, signal });
    if (carried.length === 0) return { request };
    const assert = (check: Check, destination: HttpDestination) => assertByAny(carried, check, destination);
    return { request: { ...request, authentication: withChecks(request.authentication, assert) } };
  }
}

async function orRefusal<T>({ request, refusal }: LimitedRequest, send: (request: HttpRequest) => Promise<T>): Promise<T> {
  try {
    return await send(request);
  } catch (error) {
    throw refusal?.() ?? error;
  }
}

function isStream(body: HttpRequest['body']): body is HttpBodyStream {
  return typeof body === 'object' && !(body instanceof Uint8Array);
}

interface Search {
  handedOut: readonly HandedOut[];
  /** Credentials with a secret in the URL or the headers. */
  carried: readonly HostChecks[];
  signal: AbortSignal;
}

/** Opens the body for each hop, after its destination was checked. */
function withSearchedBody(request: HttpRequest, body: HttpBodyStream, { handedOut, carried, signal }: Search): LimitedRequest {
  let refused: unknown;
  let hop: [Check, HttpDestination] = ['assertAllowed', request];
  const assert = (...checked: [Check, HttpDestination]) => {
    hop = checked;
    if (carried.length > 0) assertByAny(carried, ...checked);
  };
  const assertWindow = async (bytes: Uint8Array) => {
    const matches: HostChecks[] = [];
    for (const { scrubber, checks } of handedOut) if (await occursInBytes(scrubber, bytes, signal)) matches.push(checks);
    if (matches.length === 0) return;
    [refused] = refusalOf(() => assertByAny(matches, ...hop));
    if (refused !== undefined) throw refused;
  };
  const open = async () => searchedBody(await body.open(), assertWindow);
  const authentication = withChecks(request.authentication, assert);
  return { request: { ...request, body: { ...body, open }, authentication }, refusal: () => refused };
}

async function occursInRequest(
  scrubber: SecretScrubber,
  { url, proxy = '', headers = {}, body }: HttpRequest,
  signal: AbortSignal,
): Promise<boolean> {
  const addresses = [url, proxy].flatMap((address) => [address, percentDecoded(address)]);
  const head = [...addresses, ...Object.entries(headers).flat(2)].join('\n');
  if (await scrubber.occursIn(head, signal)) return true;
  if (typeof body === 'string') return scrubber.occursIn(body, signal);
  return body instanceof Uint8Array && occursInBytes(scrubber, body, signal);
}

/**
 * Decodes every escape: URL encoders differ in the characters that they escape, even within one
 * URL.
 */
function percentDecoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (codes) => Buffer.from(codes.replaceAll('%', ''), 'hex').toString());
}

/** Number of bytes searched at once. */
const windowBytes = 256 * 1024;

async function occursInBytes(scrubber: SecretScrubber, bytes: Uint8Array, signal: AbortSignal): Promise<boolean> {
  const slice = new TimeSlice();
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < buffer.length; at += windowBytes) {
    if (await scrubber.occursIn(buffer.toString('utf8', at, at + windowBytes + overlapBytes), signal)) return true;
    if (slice.isOver) await slice.next();
  }
  return false;
}

function withChecks(
  own: HttpAuthentication | undefined,
  assert: (check: Check, destination: HttpDestination) => void,
): HttpAuthentication {
  return {
    ...own,
    assertAllowed(destination) {
      own?.assertAllowed?.(destination);
      assert('assertAllowed', destination);
    },
    assertRedirectAllowed(destination) {
      own?.assertRedirectAllowed?.(destination);
      assert('assertRedirectAllowed', destination);
    },
  };
}

/** Two credentials may contain the same secret; the hosts of both are allowed. */
function assertByAny(carried: readonly HostChecks[], check: Check, destination: HttpDestination): void {
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

/**
 * Bytes by which search windows overlap. The first 256 characters of a secret count as the secret,
 * so a secret of any length is found in the window that contains its start.
 */
const overlapBytes = 16 * 1024;
/** Bytes that are searched together: a search of each small chunk would repeat the overlap. */
const searchedBytes = 4 * overlapBytes;

/**
 * The bytes of a body, each passed on once it was searched together with the surrounding bytes. So
 * no part of a secret is passed on if `assertWindow` rejects.
 */
async function* searchedBody(
  body: AsyncIterable<Uint8Array>,
  assertWindow: (bytes: Uint8Array) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    waiting.push(chunk);
    size += chunk.length;
    if (size < searchedBytes) continue;
    const bytes = Buffer.concat(waiting);
    await assertWindow(bytes);
    yield bytes.subarray(0, -overlapBytes);
    waiting = [bytes.subarray(-overlapBytes)];
    size = overlapBytes;
  }
  const rest = Buffer.concat(waiting);
  await assertWindow(rest);
  if (rest.length > 0) yield rest;
}
