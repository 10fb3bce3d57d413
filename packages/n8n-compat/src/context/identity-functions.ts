import type { RequestingUser, WebhookRequestContext } from '@sluice/node-sdk';
import { OperationalError } from '../workflow-module/errors.ts';

/**
 * Who makes a call, for types that let users of the service in alone. There are no sessions and no tokens of sign-ins here: what counts in their place, from a
 * cookie or as a bearer token, is an API key. Whatever is none that is good is refused by an error, since what callers look at in an answer differs.
 */
export function identityFunctions({ identify, logger }: Pick<WebhookRequestContext, 'identify' | 'logger'>) {
  const known = async (secret: unknown): Promise<RequestingUser> => {
    const user = typeof secret === 'string' && secret !== '' ? await identify?.(secret) : undefined;
    if (!user) throw new RefusedError('the call has no API key of this service that is good', 401);
    return user;
  };
  const starting = async (secret: unknown): Promise<RequestingUser> => {
    const user = await known(secret);
    if (!user.mayStart) throw new RefusedError('the API key of the call may not start this workflow', 403);
    return user;
  };
  return {
    validateCookieAuth: async (cookie: unknown) => shown(await known(cookie)),
    validateN8nOAuth2Token: async (token: unknown, _resource?: unknown) => ({
      valid: true,
      user: shown(await starting(token)),
    }),
    establishTriggerIdentity: async (token: unknown, _resource?: unknown) => {
      const user = await starting(token);
      logger.info({ userId: user.id }, 'a user of this service has made the call');
    },
    /** Credentials are those of the workflow: none has to be connected by whoever calls. */
    checkTriggerCredentialStatus: async () => undefined,
  };
}

/** As that of a request that a service refuses. */
class RefusedError extends OperationalError {
  readonly statusCode: number;
  readonly httpCode: string;

  constructor(message: string, status: number) {
    super(message);
    this.statusCode = status;
    this.httpCode = String(status);
  }
}

/** Users have no names here. */
function shown({ id, email }: RequestingUser) {
  return { id, email, firstName: '', lastName: '' };
}
