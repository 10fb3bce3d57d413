import { type CallAuthentication, ForbiddenError } from '@sluice/domain';
import { isAllowedAddress } from '../shared/allowed-address.ts';
import { isBot } from '../shared/is-bot.ts';
import type { RequestAuthenticator, SealedCredential } from '../shared/request-authenticator.ts';

/** Who may see and send a form. */
interface Admission {
  authentication?: CallAuthentication;
  allowedAddresses?: readonly string[];
  ignoresBots?: boolean;
}

/** Who asks. */
export interface Visitor {
  method: string;
  /** Proxies that are believed taken into account. */
  address: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Names, with ports, that the pages of ours are reached by. */
  hosts: readonly string[];
}

/** Throws `ForbiddenError` and `UnauthorizedRequestError`. `find`: the credential, as the workflow may use it. */
export async function admit(
  { authentication, allowedAddresses, ignoresBots }: Admission,
  visitor: Visitor,
  authenticator: RequestAuthenticator,
  find: (credentialId: string) => Promise<SealedCredential | undefined>,
): Promise<void> {
  const { method, address, headers } = visitor;
  if (!isAllowedAddress(address, allowedAddresses)) throw new ForbiddenError('this form is not for your address');
  if (ignoresBots && isBot(headers['user-agent'])) throw new ForbiddenError('this form is not for programs');
  // Browsers bring the password, and the address, for pages of strangers too.
  const isProtected = authentication !== undefined || allowedAddresses !== undefined;
  if (isProtected && method === 'POST' && !isSentByOwnPage(visitor))
    throw new ForbiddenError('this form is not to be sent from other pages');
  if (authentication) await authenticator.check(authentication, await find(authentication.credentialId), headers);
}

/** Whether a page of ours has sent a form, or no browser. Over plain HTTP, browsers leave the site out, but say the origin; `null` is somebody who hides it. */
function isSentByOwnPage({ headers, hosts }: Visitor): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = headers['origin'];
  if (origin === undefined) return true;
  return typeof origin === 'string' && URL.canParse(origin) && hosts.includes(new URL(origin).host);
}
