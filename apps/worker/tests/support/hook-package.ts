import type { NodePackages } from '@sluice/node-packages';
import type { CredentialType, MethodContext, NodeType, WebhookContext, WebhookMethods } from '@sluice/node-sdk';

const base = {
  group: ['trigger'] as const,
  version: 1,
  description: '',
  inputs: [] as const,
  outputs: ['main'] as const,
  properties: [
    { displayName: 'Service', name: 'service', type: 'string' as const, default: '' },
    { displayName: 'Events', name: 'events', type: 'string' as const, default: 'all' },
    { displayName: 'Level', name: 'level', type: 'string' as const, default: '' },
  ],
};

async function ask(context: MethodContext, method: string, path: string, body?: object) {
  const { site } = await context.credentials('hookApi');
  const authentication = await context.authentication('hookApi');
  const response = await context.http.request(
    {
      method,
      url: `${context.parameter<string>('service')}${path}`,
      headers: { 'x-site': String(site) },
      ...(body && { body: JSON.stringify(body) }),
      authentication,
    },
    context.signal,
  );
  const text = Buffer.from(response.body).toString();
  if (response.status > 299) throw new Error(`the service returned ${response.status}: ${text}`);
  return JSON.parse(text || 'null');
}

const hookTrigger: NodeType = {
  description: {
    ...base,
    displayName: 'Hook trigger',
    name: 'hook-trigger',
    defaults: { name: 'Hook' },
    credentials: [{ name: 'hookApi', required: true, testedBy: 'reachable' }],
    webhooks: [
      { name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: '={{ $parameter.events }}/events' },
      { name: 'setup', httpMethod: 'GET', responseMode: 'onReceived', path: '={{ $parameter.events }}/events' },
    ],
  },
  webhookMethods: {
    default: {
      async checkExists(context: WebhookContext) {
        const hooks: { id: string; url: string; events: string }[] = await ask(context, 'GET', '/hooks');
        const hook = hooks.find(({ url, events }) => url === context.webhookUrl() && events === context.parameter('events'));
        if (hook) context.staticData['id'] = hook.id;
        return hook !== undefined;
      },
      async create(context: WebhookContext) {
        const { id } = await ask(context, 'POST', '/hooks', {
          url: context.webhookUrl(),
          events: context.parameter<string>('events'),
          level: context.parameter<string>('level'),
        });
        context.staticData['id'] = id;
        return true;
      },
      async delete(context: WebhookContext) {
        await ask(context, 'DELETE', `/hooks/${context.staticData['id']}`);
        delete context.staticData['id'];
        return true;
      },
    },
  },
  async webhook({ request, webhookName, staticData, parameter, respond, credentials, sharedData, binary, webhookUrl }) {
    if (webhookName === 'setup') return { webhookResponse: `challenge ${request.query['challenge']}` };
    if (request.query['level'] !== undefined) return { webhookResponse: parameter<string>('level') };
    const body = request.body as { kind?: string };
    if (body.kind === 'secret') {
      staticData['secret'] = 's3';
      return {};
    }
    if (body.kind === 'discloses') {
      const payload = { token: `is ${(await credentials('hookApi'))['token']}` };
      return { webhookResponse: payload, workflowData: [[{ json: payload }]] };
    }
    if (body.kind === 'shares' || body.kind === 'shares-and-throws') {
      const n = Number((await sharedData?.read())?.['n'] ?? 0) + 1;
      sharedData?.save({ n });
      if (body.kind !== 'shares') throw new Error('what is shared is forgotten');
      return { webhookResponse: { n } };
    }
    if (body.kind === 'files') {
      const file = await binary.store(Buffer.from('made by a call'), { fileName: 'a.txt' });
      const copy = await binary.store(await binary.open(file), { fileName: 'b.txt' });
      return { workflowData: [[{ json: { target: request.target }, binary: { file, copy } }]] };
    }
    if (body.kind === 'addresses') return { webhookResponse: [webhookUrl(), webhookUrl('setup')] };
    if (body.kind === 'throws') throw new Error('no such secret');
    if (body.kind === 'custom') {
      respond({ status: 202, headers: { 'X-Own': 'yes' }, body: { kind: 'text', text: 'mine' } });
      return { noWebhookResponse: true };
    }
    return {
      workflowData: [
        [
          {
            json: {
              got: request.body,
              raw: Buffer.from(request.rawBody).toString(),
              kept: { ...staticData },
              from: request.address,
            },
          },
        ],
      ],
    };
  },
  methods: {
    loadOptions: {
      events: async (context) => [{ name: `All of ${context.parameter('service')}`, value: 'all' }],
      broken: async (context) => {
        throw new Error(`token ${(await context.credentials('hookApi'))['token']} is wrong`);
      },
      shapeless: async () => [{ title: 'x' }] as never,
      slow: () => new Promise(() => undefined),
    },
    listSearch: {
      find: async (_context, filter, paginationToken) => ({
        results: [{ name: `${filter}`, value: `${paginationToken}` }],
        paginationToken: 'next',
      }),
    },
    resourceMapping: { columns: async () => ({ fields: [{ id: 'a', displayName: 'A', type: 'string' }] }) },
    actionHandler: { press: async (_context, payload) => ({ pressed: payload }) },
    credentialTest: {
      reachable: async (data) =>
        data['token'] === 'good-token'
          ? { status: 'OK', message: 'let in' }
          : { status: 'Error', message: `no: ${data['token']}` },
    },
  },
};

/** Its service has one webhook per account, and does not check its owner. */
const { default: hookMethods } = hookTrigger.webhookMethods ?? {};

/** Like most types, sends no request to check a registration without data. */
const dataTrigger: NodeType = {
  ...hookTrigger,
  description: { ...hookTrigger.description, name: 'data-trigger' },
  webhookMethods: {
    default: {
      ...(hookMethods as WebhookMethods),
      checkExists: async (context) =>
        context.staticData['id'] !== undefined && (await (hookMethods as WebhookMethods).checkExists(context)),
      checkAddress: async (context) => (hookMethods as WebhookMethods).checkExists(context),
    },
  },
};

const singleTrigger: NodeType = {
  description: {
    ...base,
    displayName: 'Single trigger',
    name: 'single-trigger',
    defaults: { name: 'Single' },
    credentials: [{ name: 'hookApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: '={{ $parameter.events }}' }],
  },
  webhookMethods: {
    default: {
      checkExists: async (context: WebhookContext) => (await ask(context, 'GET', '/single')).url !== null,
      async create(context: WebhookContext) {
        await ask(context, 'POST', '/single', { url: context.webhookUrl() });
        return true;
      },
      async delete(context: WebhookContext) {
        await ask(context, 'DELETE', '/single');
        return true;
      },
    },
  },
};

const hooked: NodeType = {
  description: {
    ...base,
    displayName: 'Hooked',
    name: 'hooked',
    defaults: { name: 'Hooked' },
    requestDefaults: { baseURL: '={{ $parameter.service }}' },
    hooks: {
      activate: [{ method: 'POST', request: { url: '/started', qs: { events: '={{ $parameter.events }}' } } }],
      deactivate: [{ method: 'POST', request: { url: '/stopped' } }],
    },
    properties: [
      ...base.properties,
      {
        displayName: 'Choice',
        name: 'choice',
        type: 'options',
        default: '',
        typeOptions: {
          loadOptions: {
            routing: {
              request: { method: 'GET', url: '/choices' },
              output: {
                postReceive: [
                  { type: 'rootProperty', properties: { property: 'data' } },
                  { type: 'setKeyValue', properties: { name: '={{ $responseItem.title }}', value: '={{ $responseItem.id }}' } },
                ],
              },
            },
          } as never,
        },
        options: [],
      },
    ],
  },
};

const hookApi: CredentialType = {
  name: 'hookApi',
  displayName: 'Hook',
  properties: [],
  schema: { type: 'object', properties: { token: { type: 'string' } }, required: ['token'] },
  secretFields: ['token'],
  authenticate: { headers: { Authorization: 'Bearer {token}' } },
  complete: (data: object) => ({ site: 'eu', ...data }),
} as never;

/**
 * A package whose types have webhooks at a `HookService`, methods for editors, and a credential;
 * and a package that could not be loaded.
 */
export const hookPackages: NodePackages = {
  packages: [{ name: 'acme', version: '1.2.3', nodeTypes: ['acme.hook-trigger'], credentialTypes: ['hookApi'], skipped: [] }],
  nodeTypes: new Map([
    ['acme.hook-trigger', hookTrigger],
    ['acme.data-trigger', dataTrigger],
    ['acme.hooked', hooked],
    ['acme.single-trigger', singleTrigger],
  ]),
  credentialTypes: [hookApi],
  replacements: new Map(),
  failures: [{ package: 'broken', reason: 'nodes/none.js is not there' }],
};
