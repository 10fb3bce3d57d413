import type { RequestingUser, WebhookRequestContext } from '@sluice/node-sdk';
import { OperationalError } from '../workflow-module/errors.ts';

/**
 * Identifies the user of a request, for types that are open to users of the service only. There are
 * no sessions or sign-in tokens; an API key, in a cookie or as a bearer token, replaces them. An
 * invalid key throws, because callers check results in different ways.
 */
export function identityFunctions({ identify, logger }: Pick<WebhookRequestContext, 'identify' | 'logger'>) {
  const requireUser = async (secret: unknown): Promise<RequestingUser> => {
    const user = typeof secret === 'string' && secret !== '' ? await identify?.(secret) : undefined;
    if (!user) throw new RefusedError('the request has no valid API key of this service', 401);
    return user;
  };
  const starting = async (secret: unknown): Promise<RequestingUser> => {
    const user = await requireUser(secret);
    if (!user.mayStart) throw new RefusedError("the request's API key may not start this workflow", 403);
    return user;
  };
  return {
    validateCookieAuth: async (cookie: unknown) => shown(await requireUser(cookie)),
    validateN8nOAuth2Token: async (token: unknown, _resource?: unknown) => ({
      valid: true,
      user: shown(await starting(token)),
    }),
    establishTriggerIdentity: async (token: unknown, _resource?: unknown) => {
      const user = await starting(token);
      logger.info({ userId: user.id }, 'the request was made by a user of this service');
    },
    /** The workflow provides the credentials, so the sender does not have to connect any. */
    checkTriggerCredentialStatus: async () => undefined,
  };
}

/** Has the format of a failed request's error. */
class RefusedError extends OperationalError {
  readonly statusCode: number;
  readonly httpCode: string;

  constructor(message: string, status: number) {
    super(message);
    this.statusCode = status;
    this.httpCode = String(status);
  }
}

/** Users have no names in this service. */
function shown({ id, email }: RequestingUser) {
  return { id, email, firstName: '', lastName: '' };
}
