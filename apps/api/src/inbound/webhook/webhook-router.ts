import type { WebhookRoute } from '@sluice/db';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { sendEvents } from '../../http/response/server-sent-events.ts';
import { chatView } from '../../pages/chat-view.ts';
import { sendPage } from '../../pages/send-page.ts';
import { allowOrigin, isPreflight, respondToPreflight } from '../shared/cors.ts';
import { type InboundPorts, type InboundRequest, inboundRequest } from '../shared/inbound-request.ts';
import { type ResponseReceiver, relayResponse } from '../shared/relay-response.ts';
import { type ResponseFiles, sendWebhookResponse, withRefusals } from '../shared/send-response.ts';
import type { McpStreams } from './mcp-streams.ts';
import { allowedAt, methodsOf, type WebhookBase } from './webhook-routes.ts';
import type { ReceivedWebhook, WebhookService } from './webhook-service.ts';

export interface WebhookRouterOptions extends InboundPorts, ResponseFiles {
  webhooks: WebhookService;
  streams: McpStreams;
}

/**
 * `/webhook/<path>` starts active workflows (Contract 7), `/webhook-test/<path>` workflows under
 * test. Without an API key: the node decides what a request must contain.
 */
export function webhookRouter(options: WebhookRouterOptions): Router {
  const router = Router({ caseSensitive: true });
  for (const base of ['webhook', 'webhook-test'] as const) router.all(`/${base}/*path`, handleRequest(options, base));
  return router;
}

function handleRequest(options: WebhookRouterOptions, base: WebhookBase): RequestHandler {
  return withRefusals(async (request, response) => {
    const { webhooks } = options;
    const inbound = inboundRequest(request, response, options);
    if (request.method === 'OPTIONS') {
      const routes = await webhooks.listRoutes(inbound.segments, base);
      await inbound.countFor(routes[0]);
      return respondToOptions(request, response, routes);
    }
    const allowOrigins = (origins: readonly string[] | undefined) => void allowOrigin(request, response, origins);
    await respond(options, response, inbound, await webhooks.receive({ ...inbound, allowOrigins }, base));
  });
}

function respondToOptions(request: Request, response: Response, routes: readonly WebhookRoute[]): void {
  const methods = methodsOf(routes);
  if (isPreflight(request)) {
    const requestedMethod = request.get('access-control-request-method');
    const route = routes.find(({ method }) => method === requestedMethod) ?? routes[0];
    respondToPreflight(request, response, { methods, allowed: route?.spec.allowedOrigins });
  } else response.setHeader('Allow', allowedAt(routes).join(', ')).status(204).end();
}

async function respond(
  options: WebhookRouterOptions,
  response: Response,
  inbound: InboundRequest,
  received: ReceivedWebhook,
): Promise<void> {
  const { webhooks } = options;
  const { route, started, response: immediate, streamed } = received;
  if (route.spec.mcpTransport === 'events') return sendEvents(await options.streams.open(route, inbound), response);
  if (streamed && (started || immediate?.status === 200)) {
    response.status(202).end();
    return webhooks.respondInStream(received);
  }
  if (route.spec.page) return sendPage(response, 200, chatView(route.spec.page));
  if (immediate) return sendWebhookResponse(response, immediate);
  if (!started) return;
  const wait = (receiver: ResponseReceiver) => webhooks.respond(route, started, receiver);
  await relayResponse(options, response, {
    executionId: started.id,
    spec: route.spec.response,
    disconnected: inbound.disconnected,
    wait,
  });
}
