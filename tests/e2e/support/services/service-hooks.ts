import { createHmac } from 'node:crypto';
import type { JsonObject, JsonValue } from '@sluice/domain';
import type { ApiServer } from '@sluice/nodes-services/testing';
import type { SentRequest } from './service-requests.ts';

/** The node after a trigger, with its expected request and output. */
export interface FollowingAction {
  /** Node type. Default: the node of the service. */
  type?: string;
  parameters: JsonObject;
  /** Expected request. */
  request: SentRequest;
  /** Expected output. */
  items: readonly JsonObject[];
}

/** The registration that a service has for a workflow. */
export interface Registration {
  url?: string | undefined;
  secret?: string | undefined;
}

/** A service that sends its events to a registered URL. */
export interface ServiceHook {
  /** Credential type → its data. */
  credentials: Readonly<Record<string, JsonObject>>;
  /** Default: the parameters of the example. */
  parameters?: JsonObject;
  /**
   * Makes the servers accept a registration, and returns it. Absent if users register the URL
   * themselves.
   *
   * @param reach sends a request to a public URL and resolves to the response.
   */
  keep?(servers: readonly ApiServer[], reach: (url: string) => Promise<string>): Registration;
  event: JsonObject;
  /** Headers of the delivery of an event. */
  headers(event: string, registration: Registration): Record<string, string>;
  /** Whether an event is sent as a form. */
  isForm?: boolean;
  /** Whether deliveries have IDs, so that a repeated delivery counts once. */
  hasIds: boolean;
  action: FollowingAction;
}

const hmac = (secret: string | undefined, text: string, encoding: 'hex' | 'base64' = 'hex') =>
  createHmac('sha256', secret ?? '')
    .update(text)
    .digest(encoding);
const seconds = () => String(Math.floor(Date.now() / 1_000));

/**
 * An HTTP Request node with the credential type of a trigger, for services without an action node.
 */
const httpRequest = (credentialType: string, url: string, more: JsonObject = {}) => ({
  type: 'http-request',
  parameters: { url, authentication: 'predefinedCredentialType', nodeCredentialType: credentialType, ...more },
});

type Routes = Readonly<Record<'list' | 'create' | 'remove', string>>;
interface Kept {
  routes: Routes;
  /** Reads the URL and the secret from the body of a registration. */
  read(body: JsonObject): Registration;
  created?: { status?: number; json?: JsonValue };
  removed?: { status?: number; json?: JsonValue };
  /** The list of registrations. A registration in it has been disabled or changed. */
  listed(url: string | undefined): JsonValue;
}

/** Makes a server create, list, and remove one registration. */
const keeping =
  ({ routes, read, created = {}, removed = { status: 204 }, listed }: Kept) =>
  ([server]: readonly ApiServer[]): Registration => {
    const registration: Registration = {};
    server?.on(routes.create, ({ body }) => {
      Object.assign(registration, read(body as JsonObject));
      return created;
    });
    server?.on(routes.list, () => ({ json: listed(registration.url) }));
    server?.on(routes.remove, () => {
      registration.url = undefined;
      return removed;
    });
    return registration;
  };

const listOf = (url: string | undefined, one: JsonObject): JsonObject[] => (url === undefined ? [] : [one]);
const textIn = (body: JsonObject, name: string): string => String(body[name] ?? '');

/** Service → its trigger and an action. */
export const serviceHooks: Readonly<Record<string, ServiceHook>> = {
  cal: {
    credentials: { calApi: { apiKey: 'cal_1' } },
    keep: keeping({
      routes: { list: 'GET /v2/webhooks', create: 'POST /v2/webhooks', remove: 'DELETE /v2/webhooks/:id' },
      read: (body) => ({ url: textIn(body, 'subscriberUrl'), secret: textIn(body, 'secret') }),
      created: { status: 201, json: { status: 'success', data: { id: 'w1' } } },
      removed: { json: { status: 'success' } },
      listed: (url) => ({ status: 'success', data: listOf(url, { id: 'w1', subscriberUrl: url ?? '' }) }),
    }),
    event: {
      triggerEvent: 'BOOKING_CREATED',
      createdAt: '2026-01-31T12:00:00.000Z',
      payload: { title: 'Call with Ada', uid: 'b1' },
    },
    headers: (event, { secret }) => ({ 'x-cal-signature-256': hmac(secret, event) }),
    hasIds: true,
    action: {
      ...httpRequest('calApi', 'https://api.cal.com/v2/event-types', {
        sendHeaders: true,
        headerParameters: { parameters: [{ name: 'cal-api-version', value: '2024-06-14' }] },
      }),
      request: ['GET /v2/event-types'],
      items: [{ status: 'success', data: [{ id: 7, title: 'Call' }] }],
    },
  },
  calendly: {
    credentials: { calendlyApi: { apiKey: 't1' } },
    keep: keeping({
      routes: {
        list: 'GET /webhook_subscriptions',
        create: 'POST /webhook_subscriptions',
        remove: 'DELETE /webhook_subscriptions/:id',
      },
      read: (body) => ({ url: textIn(body, 'url'), secret: textIn(body, 'signing_key') }),
      created: { status: 201, json: { resource: { uri: 'https://api.calendly.com/webhook_subscriptions/W1' } } },
      listed: (url) => ({
        collection: listOf(url, { uri: 'https://api.calendly.com/webhook_subscriptions/W1', callback_url: url ?? '' }),
        pagination: {},
      }),
    }),
    event: {
      event: 'invitee.created',
      created_at: '2026-01-31T12:00:00.000000Z',
      payload: { uri: 'https://api.calendly.com/scheduled_events/E1/invitees/I1', email: 'ada@example.com' },
    },
    headers: (event, { secret }) => {
      const time = seconds();
      return { 'calendly-webhook-signature': `t=${time},v1=${hmac(secret, `${time}.${event}`)}` };
    },
    hasIds: true,
    action: {
      ...httpRequest('calendlyApi', 'https://api.calendly.com/users/me'),
      request: ['GET /users/me'],
      items: [
        {
          resource: {
            uri: 'https://api.calendly.com/users/U1',
            current_organization: 'https://api.calendly.com/organizations/O1',
          },
        },
      ],
    },
  },
  'click-up': {
    credentials: { clickUpApi: { accessToken: 'pk1' } },
    parameters: { team: 'w1', events: ['taskCreated'] },
    keep: keeping({
      routes: {
        list: 'GET /api/v2/team/:team/webhook',
        create: 'POST /api/v2/team/:team/webhook',
        remove: 'DELETE /api/v2/webhook/:id',
      },
      read: (body) => ({ url: textIn(body, 'endpoint'), secret: 'shown-once' }),
      created: { json: { id: 'wh1', webhook: { id: 'wh1', secret: 'shown-once' } } },
      removed: { json: {} },
      listed: (url) => ({ webhooks: listOf(url, { id: 'wh1', endpoint: url ?? '' }) }),
    }),
    event: { event: 'taskCreated', webhook_id: 'wh1', task_id: 't7', history_items: [{ id: 'h1' }] },
    headers: (event, { secret }) => ({ 'x-signature': hmac(secret, event) }),
    hasIds: true,
    action: {
      parameters: { operation: 'get', id: '={{ $json.task_id }}' },
      request: ['GET /api/v2/task/t7'],
      items: [{ id: 't7' }],
    },
  },
  github: {
    credentials: { githubApi: { accessToken: 'ghp1' } },
    keep: keeping({
      routes: {
        list: 'GET /repos/:owner/:repo/hooks',
        create: 'POST /repos/:owner/:repo/hooks',
        remove: 'DELETE /repos/:owner/:repo/hooks/:id',
      },
      read: ({ config }) => ({ url: textIn(config as JsonObject, 'url'), secret: textIn(config as JsonObject, 'secret') }),
      created: { status: 201, json: { id: 77 } },
      listed: (url) => listOf(url, { id: 77, config: { url: url ?? '' } }),
    }),
    event: { ref: 'refs/heads/main', repository: { full_name: 'acme/app' } },
    headers: (event, { secret }) => ({
      'x-github-event': 'push',
      'x-github-delivery': 'd1',
      'x-hub-signature-256': `sha256=${hmac(secret, event)}`,
    }),
    hasIds: true,
    action: {
      parameters: {
        owner: { __rl: true, mode: 'name', value: 'acme' },
        repository: { __rl: true, mode: 'name', value: 'app' },
        title: '=Pushed to {{ $json.body.ref }}',
        body: 'Review it',
        labels: [{ label: 'push' }],
        assignees: [],
      },
      request: [
        'POST /repos/acme/app/issues',
        { title: 'Pushed to refs/heads/main', body: 'Review it', labels: ['push'], assignees: [] },
      ],
      items: [{ number: 5, title: 'Pushed to refs/heads/main' }],
    },
  },
  gitlab: {
    credentials: { gitlabApi: { server: 'https://gitlab.com', accessToken: 't1' } },
    keep: keeping({
      routes: {
        list: 'GET /api/v4/projects/:project/hooks',
        create: 'POST /api/v4/projects/:project/hooks',
        remove: 'DELETE /api/v4/projects/:project/hooks/:id',
      },
      read: (hook) => ({ url: textIn(hook, 'url'), secret: textIn(hook, 'token') }),
      created: { status: 201, json: { id: 77 } },
      listed: (url) => listOf(url, { id: 77, url: url ?? '' }),
    }),
    event: { object_kind: 'merge_request', object_attributes: { title: 'Faster' } },
    headers: (_, { secret = '' }) => ({
      'x-gitlab-event': 'Merge Request Hook',
      'x-gitlab-token': secret,
      'idempotency-key': 'd1',
    }),
    hasIds: true,
    action: {
      parameters: { owner: 'acme', repository: 'app', title: '=Review {{ $json.body.object_attributes.title }}' },
      request: ['POST /api/v4/projects/acme%2Fapp/issues', { title: 'Review Faster' }],
      items: [{ iid: 9, title: 'Review Faster' }],
    },
  },
  hubspot: {
    credentials: {
      hubspotDeveloperApi: { apiKey: 'key1', appId: '42', clientId: 'c', clientSecret: 's' },
      hubspotAppToken: { appToken: 'pat1' },
    },
    parameters: { eventsUi: { eventValues: [{ name: 'contact.creation' }] } },
    keep([, server]) {
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
  'jot-form': {
    credentials: { jotFormApi: { apiKey: 'key1' } },
    keep: keeping({
      routes: {
        list: 'GET /form/:id/webhooks',
        create: 'POST /form/:id/webhooks',
        remove: 'DELETE /form/:id/webhooks/:webhook',
      },
      read: (body) => ({ url: textIn(body, 'webhookURL') }),
      created: { json: { responseCode: 200, content: {} } },
      removed: { json: { responseCode: 200, content: {} } },
      listed: (url) => ({ responseCode: 200, content: url === undefined ? [] : { '0': url } }),
    }),
    event: { formID: '231', submissionID: '9', rawRequest: '{"q4_email":"a@a.test"}' },
    headers: () => ({}),
    isForm: true,
    hasIds: false,
    action: {
      ...httpRequest('jotFormApi', 'https://api.jotform.com/user/forms?limit=1'),
      request: ['GET /user/forms?limit=1'],
      items: [{ responseCode: 200, message: 'success', content: [{ id: '231', title: 'Contact' }] }],
    },
  },
  pipedrive: {
    credentials: { pipedriveApi: { apiToken: 'token1' } },
    keep: keeping({
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
    keep: keeping({
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
  slack: {
    credentials: { slackApi: { accessToken: 'xoxb-1', signatureSecret: 'secret' } },
    event: {
      type: 'event_callback',
      event_id: 'Ev1',
      event: { type: 'message', channel: 'C1', user: 'U1', text: 'Hello', ts: '1.2' },
    },
    headers(event) {
      const time = seconds();
      return { 'x-slack-request-timestamp': time, 'x-slack-signature': `v0=${hmac('secret', `v0:${time}:${event}`)}` };
    },
    hasIds: true,
    action: {
      parameters: {
        resource: 'reaction',
        channelId: { __rl: true, mode: 'id', value: '={{ $json.channel }}' },
        timestamp: '={{ $json.ts }}',
        name: 'eyes',
      },
      request: ['POST /api/reactions.add', { channel: 'C1', timestamp: '1.2', name: 'eyes' }],
      items: [{ ok: true }],
    },
  },
  stripe: {
    credentials: { stripeApi: { secretKey: 'sk_test_1' } },
    keep: keeping({
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
  telegram: {
    credentials: { telegramApi: { accessToken: '123:abc' } },
    keep([server]) {
      const registration: Registration = {};
      const ok = (result: JsonValue) => ({ json: { ok: true, result } });
      server?.on('POST /bot123:abc/setWebhook', ({ body }) => {
        Object.assign(registration, {
          url: textIn(body as JsonObject, 'url'),
          secret: textIn(body as JsonObject, 'secret_token'),
        });
        return ok(true);
      });
      server?.on('POST /bot123:abc/getWebhookInfo', () => ok({ url: registration.url ?? '' }));
      server?.on('POST /bot123:abc/deleteWebhook', () => {
        registration.url = undefined;
        return ok(true);
      });
      return registration;
    },
    event: { update_id: 1, message: { message_id: 7, chat: { id: 5 }, from: { id: 9 }, text: 'Hello' } },
    headers: (_, { secret = '' }) => ({ 'x-telegram-bot-api-secret-token': secret }),
    hasIds: true,
    action: {
      parameters: {
        chatId: '={{ $json.message.chat.id }}',
        text: '=You said {{ $json.message.text }}',
        additionalFields: { parse_mode: 'HTML' },
      },
      request: [
        'POST /bot123:abc/sendMessage',
        { chat_id: '5', text: 'You said Hello', parse_mode: 'HTML', disable_web_page_preview: true },
      ],
      items: [{ ok: true, result: { message_id: 7, chat: { id: 5 }, text: 'Hello' } }],
    },
  },
  typeform: {
    credentials: { typeformApi: { accessToken: 'tfp1' } },
    keep: ([server, ...others]) => {
      server?.on('GET /forms', () => ({ json: { total_items: 1, items: [{ id: 'abc', title: 'Survey' }] } }));
      return keeping({
        routes: {
          list: 'GET /forms/:id/webhooks',
          create: 'PUT /forms/:id/webhooks/:tag',
          remove: 'DELETE /forms/:id/webhooks/:tag',
        },
        read: (body) => ({ url: textIn(body, 'url'), secret: textIn(body, 'secret') }),
        created: { json: {} },
        listed: (url) => ({ items: listOf(url, { tag: 't', url: url ?? '', enabled: true }) }),
      })(server === undefined ? [] : [server, ...others]);
    },
    event: {
      event_type: 'form_response',
      form_response: {
        token: 'r1',
        definition: { fields: [{ id: '1', title: 'Your name?' }] },
        answers: [{ type: 'text', text: 'Ada', field: { id: '1' } }],
      },
    },
    headers: (event, { secret }) => ({ 'typeform-signature': `sha256=${hmac(secret, event, 'base64')}` }),
    hasIds: true,
    action: {
      ...httpRequest('typeformApi', 'https://api.typeform.com/forms?page_size=1'),
      request: ['GET /forms?page_size=1'],
      items: [{ total_items: 1, items: [{ id: 'abc', title: 'Survey' }] }],
    },
  },
  'whats-app': {
    credentials: {
      whatsAppTriggerApi: { clientId: '7', clientSecret: 'secret' },
      whatsAppApi: { accessToken: 't', businessAccountId: '42' },
    },
    keep([server], reach) {
      const registration: Registration = {};
      // Meta verifies the URL before it responds.
      server?.on('POST /v23.0/7/subscriptions', async ({ body }) => {
        const { callback_url: url = '', verify_token: token = '' } = body as Record<string, string>;
        const query = new URLSearchParams({ 'hub.mode': 'subscribe', 'hub.challenge': '42', 'hub.verify_token': token });
        if ((await reach(`${url}?${query}`)) !== '42') return { status: 400, json: { error: { message: 'not verified' } } };
        registration.url = url;
        return { json: { success: true } };
      });
      server?.on('GET /v23.0/7/subscriptions', () => {
        const one = {
          object: 'whatsapp_business_account',
          callback_url: registration.url ?? '',
          fields: [{ name: 'messages' }],
        };
        return { json: { data: listOf(registration.url, one) } };
      });
      server?.on('DELETE /v23.0/7/subscriptions', () => {
        registration.url = undefined;
        return { json: { success: true } };
      });
      return registration;
    },
    event: {
      object: 'whatsapp_business_account',
      entry: [
        {
          id: '42',
          changes: [
            {
              field: 'messages',
              value: { messages: [{ from: '14155238886', id: 'wamid.2', type: 'text', text: { body: 'Hi' } }] },
            },
          ],
        },
      ],
    },
    headers: (event) => ({ 'x-hub-signature-256': `sha256=${hmac('secret', event)}` }),
    hasIds: false,
    action: {
      parameters: {
        operation: 'send',
        phoneNumberId: '15550001',
        recipientPhoneNumber: '={{ $json.messages[0].from }}',
        textBody: '=You said {{ $json.messages[0].text.body }}',
        additionalFields: {},
      },
      request: [
        'POST /v23.0/15550001/messages',
        {
          messaging_product: 'whatsapp',
          recipient_type: 'individual',
          to: '14155238886',
          type: 'text',
          text: { body: 'You said Hi', preview_url: false },
        },
      ],
      items: [
        {
          messaging_product: 'whatsapp',
          contacts: [{ input: '14155238886', wa_id: '14155238886' }],
          messages: [{ id: 'wamid.1' }],
        },
      ],
    },
  },
  'woo-commerce': {
    credentials: { wooCommerceApi: { url: 'https://shop.example/store', consumerKey: 'ck1', consumerSecret: 'cs1' } },
    keep: keeping({
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
