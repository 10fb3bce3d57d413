import type { JsonObject } from '@sluice/domain';
import { acceptRegistration, hmac, httpRequest, listOf, type ServiceHook, seconds, textIn } from './service-hook.ts';

/** Triggers of planning, development, and form services. */
export const workHooks: Readonly<Record<string, ServiceHook>> = {
  cal: {
    credentials: { calApi: { apiKey: 'cal_1' } },
    register: acceptRegistration({
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
    register: acceptRegistration({
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
    register: acceptRegistration({
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
    register: acceptRegistration({
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
    register: acceptRegistration({
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
  'jot-form': {
    credentials: { jotFormApi: { apiKey: 'key1' } },
    register: acceptRegistration({
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
  typeform: {
    credentials: { typeformApi: { accessToken: 'tfp1' } },
    register: ([server, ...others]) => {
      server?.on('GET /forms', () => ({ json: { total_items: 1, items: [{ id: 'abc', title: 'Survey' }] } }));
      return acceptRegistration({
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
};
