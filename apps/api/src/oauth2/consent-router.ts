import { isAppError } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import { type Response, Router } from 'express';
import helmet from 'helmet';
import type { CredentialConsents } from '../credentials/credential-consents.ts';
import { notFound } from '../http/error-handler.ts';
import { statusOf } from '../http/error-statuses.ts';
import { requestState } from '../http/request-state.ts';
import { isTemporary, setRetryAfter } from '../http/retry-after.ts';
import { cookiesOf, setBrowserCookie } from './browser-cookie.ts';
import { connectPage } from './connect-page.ts';
import { toConsentResponse } from './consent-response.ts';
import { type Result, resultPage } from './result-page.ts';

interface ConsentRouterOptions {
  consents: CredentialConsents;
  logger: Logger;
}

interface Page extends Result {
  status: number;
}

const policy = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: { defaultSrc: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"], frameAncestors: ["'none'"] },
});

const noResponse: Page = {
  status: 400,
  title: 'Not connected',
  message: 'This address is for services that send a user back.',
};
const unavailable: Page = {
  status: 503,
  title: 'Not connected',
  message: 'The service is temporarily unavailable. Start again in a minute.',
};

/**
 * Pages for browsers: `/connect` shows who asks for a connection and leads to the service, which redirects
 * back to `/callback`. No page contains a secret, except the state that the browser sent.
 */
export function consentRouter({ consents, logger }: ConsentRouterOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  // Express handles HEAD like GET, which would use up the state.
  router.head(['/callback', '/connect'], notFound);
  router.get('/connect', policy, async (request, response) => {
    const { state } = request.query;
    try {
      const { cookie, ...connection } = await consents.present(typeof state === 'string' ? state : '');
      setBrowserCookie(response, cookie);
      response.type('html').send(connectPage(connection));
    } catch (error) {
      sendPage(response, failed(error));
    }
  });
  router.get('/callback', policy, async (request, response) => {
    const { requestId } = requestState(request);
    const consentResponse = toConsentResponse(request.query);
    const page = consentResponse
      ? await consents
          .complete(consentResponse, cookiesOf(request), { ip: request.ip ?? null, requestId })
          .then(connected, (error: unknown) => {
            if (!isAppError(error)) logger.error({ err: error, requestId }, 'request failed');
            return failed(error);
          })
      : noResponse;
    sendPage(response, page);
  });
  return router;
}

function sendPage(response: Response, page: Page): void {
  if (isTemporary(page.status)) setRetryAfter(response);
  response.status(page.status).type('html').send(resultPage(page));
}

function connected(name: string): Page {
  return { status: 200, title: 'Connected', message: `The credential “${name}” is connected. You can close this window.` };
}

/** Codes without a status come from the service or from the check of the state. */
function failed(error: unknown): Page {
  if (!isAppError(error)) return { status: 500, title: 'Not connected', message: 'Something went wrong here.' };
  const status = statusOf(error.code) ?? (error.code.startsWith('CONSENT_') ? 400 : 502);
  return status === 503 ? unavailable : { status, title: 'Not connected', message: `${error.message.slice(0, 500)}.` };
}
