import { isAppError } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import { type Request, type Response, Router, urlencoded } from 'express';
import type { CredentialConsents } from '../credentials/credential-consents.ts';
import { notFound } from '../http/errors/error-handler.ts';
import { isTemporary, setRetryAfter, statusOf } from '../http/errors/error-statuses.ts';
import { requestState } from '../http/request/request-state.ts';
import { senderAddress } from '../http/request/sender-address.ts';
import { sendPage } from '../pages/send-page.ts';
import { cookiesOf, setBrowserCookie } from './browser-cookie.ts';
import { connectView, resultView } from './consent-pages.ts';
import { toConsentResponse } from './consent-response.ts';

interface ConsentRouterOptions {
  credentialConsents: CredentialConsents;
  logger: Logger;
}

interface Result {
  status: number;
  title: string;
  /** Plain text. */
  message: string;
}

const readForm = urlencoded({ extended: false, limit: '8kb', parameterLimit: 10 });

const noResponse: Result = {
  status: 400,
  title: 'Not connected',
  message: 'This address is for services that redirect a user back.',
};
const unavailable: Result = {
  status: 503,
  title: 'Not connected',
  message: 'The service is temporarily unavailable. Start again in a minute.',
};

const otherSite: Result = {
  status: 403,
  title: 'Not connected',
  message: 'Another site sent this request. Open the link that you received, and continue there.',
};

/**
 * Pages for browsers: `/connect` shows who requests a connection. Its button binds the consent to
 * the browser and redirects to the service, which redirects back to `/callback`. No page contains a
 * secret, except the state that the browser sent.
 */
export function consentRouter({ credentialConsents, logger }: ConsentRouterOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const failure = (error: unknown, request: Request): Result => {
    if (!isAppError(error)) logger.error({ err: error, requestId: requestState(request).requestId }, 'request failed');
    return failed(error);
  };
  // Express handles HEAD like GET, which would use up the state.
  router.head(['/callback', '/connect'], notFound);
  router.get('/connect', async (request, response) => {
    const state = textOf(request.query['state']);
    try {
      sendPage(response, 200, connectView({ ...(await credentialConsents.present(state)), state }));
    } catch (error) {
      sendResult(response, failure(error, request));
    }
  });
  router.post('/connect', readForm, async (request, response) => {
    if (!isSentByOwnPage(request)) return sendResult(response, otherSite);
    try {
      const { cookie, url } = await credentialConsents.present(
        textOf((request.body as { state?: unknown } | undefined)?.state),
      );
      setBrowserCookie(response, cookie);
      response.redirect(303, url);
    } catch (error) {
      sendResult(response, failure(error, request));
    }
  });
  router.get('/callback', async (request, response) => {
    const { requestId } = requestState(request);
    const consentResponse = toConsentResponse(request.query);
    const result = consentResponse
      ? await credentialConsents
          .complete(consentResponse, cookiesOf(request), { ip: senderAddress(request) ?? null, requestId })
          .then(connected, (error: unknown) => failure(error, request))
      : noResponse;
    sendResult(response, result);
  });
  return router;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Every browser reports the origin of a form, older browsers only in `Origin`. */
function isSentByOwnPage(request: Request): boolean {
  const site = request.get('sec-fetch-site');
  const origin = request.get('origin');
  if (site !== undefined) return site === 'same-origin';
  return origin !== undefined && URL.parse(origin)?.host === request.get('host');
}

function sendResult(response: Response, result: Result): void {
  if (isTemporary(result.status)) setRetryAfter(response);
  sendPage(response, result.status, resultView(result));
}

function connected(name: string): Result {
  return { status: 200, title: 'Connected', message: `The credential “${name}” is connected. You can close this window.` };
}

/** Codes without a status come from the service or from the check of the state. */
function failed(error: unknown): Result {
  if (!isAppError(error)) return { status: 500, title: 'Not connected', message: 'Something went wrong here.' };
  const status = statusOf(error.code) ?? (error.code.startsWith('CONSENT_') ? 400 : 502);
  return status === 503 ? unavailable : { status, title: 'Not connected', message: `${error.message.slice(0, 500)}.` };
}
