import { BlockList, isIP } from 'node:net';
import type { CredentialUseRepository, FormRoute, RequestWait, WebhookRoute } from '@sluice/db';
import { ForbiddenError, isAppError, MemoryBudget, type RequestAuthentication } from '@sluice/domain';
import type { AnonymousRoute } from '../../limits/anonymous-limit.ts';
import type { InboundRequest } from './inbound-request.ts';
import type { AuthorizedRequest, RequestAuthenticator, SealedCredential } from './request-authenticator.ts';
import { RequestFiles, type RequestFilesOptions } from './request-files.ts';

/** Settings of a node that decide who may send requests. */
export interface AccessRules {
  authentication?: RequestAuthentication;
  /** Addresses and networks; absent: all. */
  allowedAddresses?: readonly string[];
  ignoresBots?: boolean;
}

/** Target of an inbound request: a webhook, a form, or the wait of an execution. */
export interface Entry {
  rules: AccessRules;
  /** Finds the credential of the rules, as the project of the entry may use it. */
  findCredential(id: string): Promise<SealedCredential | undefined>;
  /** Route that the rate limits count the request for. */
  route: AnonymousRoute;
  /**
   * The entry verifies `AuthorizedRequest.signature`. Others reject credentials that sign bodies.
   */
  verifiesSignatures?: true;
  /**
   * Hosts of our own pages. Other pages may not post to an entry with rules: browsers add passwords
   * for them, too.
   */
  ownHosts?: readonly string[];
  /** Throws if the entry no longer accepts requests; only authorized senders get this error. */
  assertOpen?(): void;
}

/** The entry of a trigger: a webhook or the first page of a form. */
export function entryOfTrigger(
  route: WebhookRoute | FormRoute,
  credentialUses: Pick<CredentialUseRepository, 'findForWorkflow'>,
): Entry {
  return { rules: route.spec, route, findCredential: (id) => credentialUses.findForWorkflow(id, route.workflowId) };
}

/** The entry of an execution that waits for a request. */
export function entryOfWait(
  { call, workflowId, executionId }: RequestWait,
  credentialUses: Pick<CredentialUseRepository, 'find'>,
): Entry {
  return { rules: call, route: { workflowId, executionId }, findCredential: (id) => credentialUses.find(id, executionId) };
}

interface AdmissionOptions {
  authenticator: RequestAuthenticator;
  files: RequestFilesOptions;
  /** Memory for bodies that are not short, until their executions are stored. */
  memory?: Pick<MemoryBudget, 'open'>;
}

/**
 * The single entry point for webhooks, resumes, and forms. Checks address, user agent,
 * authentication, and rate limits, then reads the body. No byte of a body is read for a request
 * that its headers refuse.
 */
export class Admission {
  readonly #authenticator: RequestAuthenticator;
  readonly #files: RequestFilesOptions;
  readonly #memory: Pick<MemoryBudget, 'open'>;

  constructor({ authenticator, files, memory = MemoryBudget.ofProcess() }: AdmissionOptions) {
    this.#authenticator = authenticator;
    this.#files = files;
    this.#memory = memory;
  }

  /**
   * Checks a request by its headers. Throws `ForbiddenError`, `UnauthorizedRequestError`,
   * `RATE_LIMITED`, `STORAGE_QUOTA_EXCEEDED`.
   */
  async authorize(request: InboundRequest, entry: Entry): Promise<AuthorizedRequest> {
    const { rules, route } = entry;
    if (rules.authentication) await request.assertMayGuess();
    assertAllowed(request, entry);
    const authorized = await this.#authenticate(request, entry);
    entry.assertOpen?.();
    await request.countFor(route);
    return authorized;
  }

  /**
   * Authorizes a request, then lets `take` read its body and call `reauthenticate`: the credential
   * may have changed while the body arrived. Discards the files of a request that fails.
   */
  async admit<Taken>(
    request: InboundRequest,
    entry: Entry,
    take: (authorized: AuthorizedRequest, files: RequestFiles, reauthenticate: () => Promise<void>) => Promise<Taken>,
  ): Promise<Taken> {
    const authorized = await this.authorize(request, entry);
    const hasArrived = request.isComplete();
    const reauthenticate = async () => {
      if (!hasArrived) await this.#authenticate(request, entry);
    };
    using memory = request.isShort() ? undefined : this.#memory.open(request.disconnected, { projectId: request.address });
    const files = new RequestFiles(this.#files, memory);
    try {
      return await take(authorized, files, reauthenticate);
    } catch (error) {
      // After a transient error the commit may have succeeded, and an execution may reference the
      // files.
      if (!isAppError(error) || error.kind !== 'transient') await files.discard();
      throw error;
    }
  }

  async #authenticate({ headers }: InboundRequest, entry: Entry): Promise<AuthorizedRequest> {
    const { authentication } = entry.rules;
    if (!authentication) return { proof: undefined, signature: undefined };
    const credential = await entry.findCredential(authentication.credentialId);
    return this.#authenticator.authenticate(authentication, credential, headers, entry);
  }
}

function assertAllowed({ method, address, headers }: InboundRequest, { rules, ownHosts }: Entry): void {
  const { authentication, allowedAddresses, ignoresBots } = rules;
  if (!isAllowedAddress(address, allowedAddresses)) throw new ForbiddenError('requests from this address are not accepted');
  if (ignoresBots && isBot(headers['user-agent'])) throw new ForbiddenError('requests from bots are not accepted');
  const isProtected = authentication !== undefined || allowedAddresses !== undefined;
  if (ownHosts && isProtected && method === 'POST' && !isFromOwnPage(headers, ownHosts))
    throw new ForbiddenError('requests from pages of other sites are not accepted');
}

/**
 * Whether an address is in the list of addresses and networks. Without a list, every address is.
 */
export function isAllowedAddress(address: string, allowed: readonly string[] | undefined): boolean {
  if (!allowed) return true;
  const list = new BlockList();
  for (const entry of allowed) {
    const [ip = '', bits] = entry.split('/');
    const family = familyOf(ip);
    if (bits === undefined) list.addAddress(ip, family);
    else list.addSubnet(ip, Number(bits), family);
  }
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(plain) !== 0 && list.check(plain, familyOf(plain));
}

function familyOf(ip: string): 'ipv4' | 'ipv6' {
  return isIP(ip) === 6 ? 'ipv6' : 'ipv4';
}

const bots =
  /bot\b|bot[/\-_]|crawl|spider|slurp|preview|facebookexternalhit|whatsapp|telegrambot|slack-imgproxy|embedly|bingpreview/i;

/** Whether a `User-Agent` belongs to a program that follows links on its own. */
export function isBot(userAgent: string | string[] | undefined): boolean {
  return [userAgent ?? []].flat().some((text) => bots.test(text));
}

/**
 * Whether the sender is one of our pages, or not a browser. Over plain HTTP, browsers send `Origin`
 * only; `null` hides it.
 */
function isFromOwnPage(headers: InboundRequest['headers'], hosts: readonly string[]): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = headers;
  return origin === undefined || (URL.canParse(origin) && hosts.includes(new URL(origin).host));
}
