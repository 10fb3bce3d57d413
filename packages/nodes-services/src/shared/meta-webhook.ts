import { createHmac } from 'node:crypto';
import {
  credentialText,
  isJsonObject,
  type JsonObject,
  type NodeType,
  ownProperty,
  type WebhookContext,
  type WebhookDescription,
  type WebhookMethods,
  type WebhookRequestContext,
  type WebhookResult,
} from '@sluice/node-sdk';
import { ApiClient } from './api-client.ts';
import { asText, objectOf, objectsOf } from './json-values.ts';
import { graphUrl, metaRefusal } from './meta-graph.ts';
import { isSigned, refuseRequest } from './signed-request.ts';

/** An app has one subscription for each object, which belongs to the last activated workflow. */
interface MetaObject {
  /** Credential type with the app's fields `clientId` and `clientSecret`. */
  credentialType: string;
  /** Subscribed object, such as `whatsapp_business_account`. */
  object: string;
  /** Fields to subscribe to. */
  fields(context: WebhookContext): string[];
}

/** The verification request, and the events. */
export const metaWebhooks: readonly WebhookDescription[] = [
  { name: 'setup', httpMethod: 'GET', responseMode: 'onReceived', path: 'webhook' },
  { name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' },
];

/** Webhooks of Meta: https://developers.facebook.com/docs/graph-api/webhooks */
export function metaWebhook(
  source: MetaObject,
  receive: (context: WebhookRequestContext, body: JsonObject) => WebhookResult,
): Required<Pick<NodeType, 'webhook' | 'webhookMethods'>> {
  return {
    webhookMethods: { default: subscription(source) },
    async webhook(context) {
      const secret = credentialText(await context.credentials(source.credentialType), 'clientSecret');
      if (context.webhookName === 'setup') return verification(context, secret);
      const { body } = context.request;
      const signature = context.request.headers['x-hub-signature-256'];
      if (!isSigned(context, { secret, signature, encoding: 'hex', prefix: 'sha256=' })) return refuseRequest(context);
      return isJsonObject(body) && body['object'] === source.object ? receive(context, body) : {};
    },
  };
}

function subscription({ credentialType, object, fields }: MetaObject): WebhookMethods {
  const client = new ApiClient({ service: 'Meta', credentialType, baseUrl: graphUrl, refusalOf: metaRefusal });
  const appOf = async (context: WebhookContext) => {
    const credential = await context.credentials(credentialType);
    const path = `/${encodeURIComponent(credentialText(credential, 'clientId'))}/subscriptions`;
    return { path, secret: credentialText(credential, 'clientSecret') };
  };
  const registered = async (context: WebhookContext): Promise<JsonObject | undefined> => {
    const { path } = await appOf(context);
    const body = await client.send(context, { path });
    const list = objectsOf(objectOf(body)['data']);
    return list.find((one) => one['object'] === object && one['callback_url'] === context.webhookUrl());
  };
  return {
    async checkExists(context) {
      const registration = await registered(context);
      const names = [registration?.['fields'] ?? []].flat().map((field) => (isJsonObject(field) ? field['name'] : field));
      return registration !== undefined && fields(context).every((name) => names.includes(name));
    },
    checkAddress: async (context) => (await registered(context)) !== undefined,
    /** Meta verifies the address before it responds. */
    async create(context) {
      const { path, secret } = await appOf(context);
      const url = context.webhookUrl();
      const form = { object, callback_url: url, fields: fields(context).join(','), verify_token: verifyToken(secret, url) };
      await client.send(context, { path, form });
      return true;
    },
    /** Keeps the subscription if another workflow has replaced it. */
    async delete(context) {
      const { path } = await appOf(context);
      if (await registered(context)) await client.send(context, { method: 'DELETE', path, query: { object } });
      return true;
    },
  };
}

/** Derived, because the verification request arrives before the registration is stored. */
function verifyToken(secret: string, url: string): string {
  return createHmac('sha256', secret).update(verified(url)).digest('hex');
}

const verified = (url: string): string => `verify ${url}`;

function verification(context: WebhookRequestContext, secret: string): WebhookResult {
  const { query } = context.request;
  const token = ownProperty(query, 'hub.verify_token');
  const signed = verified(context.webhookUrl('default'));
  if (!isSigned(context, { secret, signature: token, encoding: 'hex', signed }))
    return refuseRequest(context, 'the verify token is wrong');
  const challenge = asText(ownProperty(query, 'hub.challenge') ?? '').slice(0, 200);
  context.respond({ status: 200, headers: { 'content-type': 'text/plain' }, body: { kind: 'text', text: challenge } });
  return { noWebhookResponse: true };
}
