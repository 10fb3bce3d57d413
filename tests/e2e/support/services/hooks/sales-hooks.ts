import type { JsonObject } from '@sluice/domain';
import { acceptRegistration, hmac, listOf, type Registration, type ServiceHook, seconds, textIn } from './service-hook.ts';

/** Triggers of sales, shop, and payment services. */
export const salesHooks: Readonly<Record<string, ServiceHook>> = {
  hubspot: {
    credentials: {
      hubspotDeveloperApi: { apiKey: 'key1', appId: '42', clientId: 'c', clientSecret: 's' },
      hubspotAppToken: { appToken: 'pat1' },
    },
    parameters: { eventsUi: { eventValues: [{ name: 'contact.creation' }] } },
    register([, server]) {
      const registration: Registration = {};
      const app = '/webhooks/v3/42';
      server?.on(`PUT ${app}/settings`, ({ body }) => {
        registration.url = textIn(body as JsonObject, 'targetUrl');
        return { json: body };
      });
      server?.on(`GET ${app}/settings`, () =>
        registration.url === undefined ? { status: 404 } : { json: { targetUrl: registration.url } },
      );
      server?.on(`DELETE ${app}/settings`, () => {
        registration.url = undefined;
        return { status: 204 };
      });
      return registration;
    },
    event: [{ eventId: 100, subscriptionType: 'contact.creation', portalId: 62, objectId: 123 }] as unknown as JsonObject,
    headers(event, { url }) {
      const time = String(Date.now());
      return {
        'x-hubspot-request-timestamp': time,
        'x-hubspot-signature-v3': hmac('s', `POST${url}${event}${time}`, 'base64'),
      };
    },
    hasIds: false,
    action: {
      parameters: { authentication: 'appToken', operation: 'get', contactId: '={{ $json.contactId }}', additionalFields: {} },
      request: ['GET /contacts/v1/contact/vid/123/profile'],
      items: [{ vid: 51, properties: { firstname: { value: 'Ada' } } }],
    },
  },
  pipedrive: {
    credentials: { pipedriveApi: { apiToken: 'token1' } },
    register: acceptRegistration({
      routes: { list: 'GET /api/v1/webhooks', create: 'POST /api/v1/webhooks', remove: 'DELETE /api/v1/webhooks/:id' },
      read: (body) => ({ url: textIn(body, 'subscription_url'), secret: textIn(body, 'http_auth_password') }),
      created: { status: 201, json: { success: true, data: { id: 7 } } },
      removed: { json: { success: true } },
      listed: (url) => ({ success: true, data: listOf(url, { id: 7, subscription_url: url ?? '' }) }),
    }),
    event: { data: { id: 5, title: 'Ten desks' }, previous: {}, meta: { action: 'change', entity: 'deal', id: 'n1' } },
    headers: (_, { secret }) => ({ authorization: `Basic ${Buffer.from(`sluice:${secret}`).toString('base64')}` }),
    hasIds: true,
    action: {
      parameters: { resource: 'deal', operation: 'get', dealId: '={{ $json.data.id }}' },
      request: ['GET /api/v2/deals/5'],
      items: [{ id: 5 }],
    },
  },
  shopify: {
    credentials: { shopifyAccessTokenApi: { shopSubdomain: 'acme', accessToken: 'token1', appSecretKey: 's' } },
    register: acceptRegistration({
      routes: {
        list: 'GET /admin/api/2025-10/webhooks.json',
        create: 'POST /admin/api/2025-10/webhooks.json',
        remove: 'DELETE /admin/api/2025-10/webhooks/:id.json',
      },
      read: ({ webhook }) => ({ url: textIn(webhook as JsonObject, 'address') }),
      created: { status: 201, json: { webhook: { id: 11 } } },
      removed: { json: {} },
      listed: (url) => ({ webhooks: listOf(url, { id: 11, address: url ?? '', topic: 'orders/create', format: 'json' }) }),
    }),
    event: { id: 450, email: 'ada@example.com', total_price: '10.00' },
    headers: (event) => ({
      'x-shopify-topic': 'orders/create',
      'x-shopify-event-id': 'e1',
      'x-shopify-hmac-sha256': hmac('s', event, 'base64'),
    }),
    hasIds: true,
    action: {
      parameters: {
        authentication: 'accessToken',
        operation: 'update',
        orderId: '={{ $json.id }}',
        updateFields: { note: '=For {{ $json.email }}' },
      },
      request: ['PUT /admin/api/2025-10/orders/450.json', { order: { note: 'For ada@example.com' } }],
      items: [{ id: 450 }],
    },
  },
  stripe: {
    credentials: { stripeApi: { secretKey: 'sk_test_1' } },
    register: acceptRegistration({
      routes: {
        list: 'GET /v1/webhook_endpoints',
        create: 'POST /v1/webhook_endpoints',
        remove: 'DELETE /v1/webhook_endpoints/:id',
      },
      read: (body) => ({ url: textIn(body, 'url'), secret: 'whsec_1' }),
      created: { json: { id: 'we_1', secret: 'whsec_1' } },
      removed: { json: { id: 'we_1', deleted: true } },
      listed: (url) => ({ has_more: false, data: listOf(url, { id: 'we_1', url: url ?? '' }) }),
    }),
    event: { id: 'evt_1', type: 'checkout.session.completed', data: { object: { id: 'cs_1', customer: 'cus_7' } } },
    headers(event, { secret }) {
      const time = seconds();
      return { 'stripe-signature': `t=${time},v1=${hmac(secret, `${time}.${event}`)}` };
    },
    hasIds: true,
    action: {
      parameters: { resource: 'customer', operation: 'get', customerId: '={{ $json.data.object.customer }}' },
      request: ['GET /v1/customers/cus_7'],
      items: [{ id: 'cus_7' }],
    },
  },
  'woo-commerce': {
    credentials: { wooCommerceApi: { url: 'https://shop.example/store', consumerKey: 'ck1', consumerSecret: 'cs1' } },
    register: acceptRegistration({
      routes: {
        list: 'GET /store/wp-json/wc/v3/webhooks',
        create: 'POST /store/wp-json/wc/v3/webhooks',
        remove: 'DELETE /store/wp-json/wc/v3/webhooks/:id',
      },
      read: (body) => ({ url: textIn(body, 'delivery_url'), secret: textIn(body, 'secret') }),
      created: { status: 201, json: { id: 11 } },
      removed: { json: {} },
      listed: (url) => listOf(url, { id: 11, delivery_url: url ?? '', topic: 'order.created', status: 'active' }),
    }),
    event: { id: 450, status: 'processing', total: '19.00' },
    headers: (event, { secret }) => ({
      'x-wc-webhook-topic': 'order.created',
      'x-wc-webhook-signature': hmac(secret, event, 'base64'),
    }),
    hasIds: false,
    action: {
      parameters: {
        resource: 'order',
        operation: 'update',
        orderId: '={{ $json.id }}',
        updateFields: { customerNote: '=Total {{ $json.total }}' },
      },
      request: ['PUT /store/wp-json/wc/v3/orders/450', { customer_note: 'Total 19.00' }],
      items: [{ id: 450 }],
    },
  },
};
