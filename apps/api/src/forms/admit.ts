import { type CallAuthentication, ForbiddenError } from '@sluice/domain';
import { isAllowedAddress } from '../waiting/allowed-address.ts';
import type { CallAuthenticator, SealedCredential } from '../waiting/call-authenticator.ts';
import { isBot } from '../waiting/is-bot.ts';

/** Who may see and send a form. */
export interface Admission {
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
}

/** Throws `ForbiddenError` and `CallUnauthorizedError`. `find`: the credential, as the workflow may use it. */
export async function admit(
  { authentication, allowedAddresses, ignoresBots }: Admission,
  { method, address, headers }: Visitor,
  authenticator: CallAuthenticator,
  find: (credentialId: string) => Promise<SealedCredential | undefined>,
): Promise<void> {
  if (!isAllowedAddress(address, allowedAddresses)) throw new ForbiddenError('this form is not for your address');
  if (ignoresBots && isBot(headers['user-agent'])) throw new ForbiddenError('this form is not for programs');
  // Browsers bring the password, and the address, for pages of strangers too.
  const isProtected = authentication !== undefined || allowedAddresses !== undefined;
  if (isProtected && method === 'POST' && headers['sec-fetch-site'] === 'cross-site')
    throw new ForbiddenError('this form is not to be sent from other pages');
  if (authentication) await authenticator.check(authentication, await find(authentication.credentialId), headers);
}
