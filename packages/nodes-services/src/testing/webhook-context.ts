import type {
  BinaryAccess,
  JsonObject,
  JsonValue,
  WebhookRequest,
  WebhookRequestContext,
  WebhookResponse,
} from '@sluice/node-sdk';
import { type FakeRun, fakeContext, memoryBinary } from '@sluice/nodes-base/testing';

/** A node's registered webhook, for tests of `webhookMethods` and `webhook`. */
export interface FakeWebhook extends Pick<FakeRun, 'http' | 'credentials' | 'typeVersion'> {
  parameters?: JsonObject;
  url?: string;
  staticData?: JsonObject;
  binary?: BinaryAccess;
  request?: Partial<WebhookRequest>;
}

/** `responses` are the responses that the type sent directly. */
export function webhookContext(webhook: FakeWebhook): WebhookRequestContext & { responses: WebhookResponse[] } {
  const context = fakeContext(webhook);
  const { url = 'https://me.example/webhook/w/node/webhook', staticData = {}, request } = webhook;
  const responses: WebhookResponse[] = [];
  const { node, typeVersion, workflow, signal, logger, http, evaluateText } = context;
  return {
    ...{ node, typeVersion, workflow, signal, logger, http, evaluateText, staticData, responses },
    webhookName: 'default',
    webhookUrl: () => url,
    parameter: <T extends JsonValue>(path: string, fallback?: T) => context.parameter<T>(path, 0, fallback),
    credentials: (type) => context.credentials(type, 0),
    authentication: (type) => context.authentication(type, 0),
    binary: webhook.binary ?? memoryBinary(),
    respond: (response) => void responses.push(response),
    request: {
      method: 'POST',
      url,
      target: '/webhook/w/node/webhook',
      address: '127.0.0.1',
      headers: {},
      query: {},
      params: {},
      body: {},
      binary: {},
      rawBody: Buffer.from(''),
      ...request,
    },
  };
}
