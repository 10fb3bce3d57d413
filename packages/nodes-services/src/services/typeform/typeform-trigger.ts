import { randomBytes } from 'node:crypto';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MethodContext,
  type NodePropertyOption,
  type NodeType,
  ownProperty,
  type WebhookContext,
  type WebhookMethods,
} from '@sluice/node-sdk';
import { choice, choices, toggle, where } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { asText, objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import { choicesFrom } from '../../shared/list-choices.ts';
import { type Paging, sendAll } from '../../shared/paging.ts';
import { deliveryOf, isSigned, refuseRequest } from '../../shared/signed-request.ts';

/** https://www.typeform.com/developers/ */
const typeformClient = new ApiClient({
  service: 'Typeform',
  credentialType: ({ parameter }) =>
    parameter<string>('authentication', 'accessToken') === 'oAuth2' ? 'typeformOAuth2Api' : 'typeformApi',
  baseUrl: 'https://api.typeform.com',
  refusalOf({ body }) {
    const { code, description } = objectOf(body);
    return { ...(typeof code === 'string' && { code }), ...(typeof description === 'string' && { text: description }) };
  },
});

/** Receives form submissions. */
export const typeformTrigger: NodeType = {
  description: {
    displayName: 'Typeform Trigger',
    name: 'typeform-trigger',
    group: ['trigger'],
    version: [1, 1.1],
    defaultVersion: 1.1,
    description: 'Starts the workflow when somebody submits a Typeform form',
    defaults: { name: 'Typeform Trigger' },
    inputs: [],
    outputs: ['main'],
    icon: 'fa:clipboard',
    credentials: [
      { name: 'typeformApi', required: true, ...where({ authentication: ['accessToken'] }) },
      { name: 'typeformOAuth2Api', required: true, ...where({ authentication: ['oAuth2'] }) },
    ],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      choice('authentication', 'Authentication', choices(['accessToken', 'Access Token'], ['oAuth2', 'OAuth2'])),
      {
        displayName: 'Form',
        name: 'formId',
        type: 'options',
        default: '',
        required: true,
        typeOptions: { loadOptionsMethod: 'getForms' },
        description: 'The form: from the list, or by ID',
      },
      toggle('simplifyAnswers', 'Simplify Answers', 'Whether answers are pairs of question and answer', { default: true }),
      toggle('onlyAnswers', 'Only Answers', 'Whether to output only the answers, instead of all that Typeform sends', {
        default: true,
      }),
    ],
  },
  methods: { loadOptions: { getForms } },
  webhookMethods: { default: registration() },
  async webhook(context) {
    const secret = textOf(context.staticData['secret']);
    const signature = context.request.headers['typeform-signature'];
    if (!isSigned(context, { secret, signature, encoding: 'base64', prefix: 'sha256=' })) return refuseRequest(context);
    const body = objectOf(context.request.body as JsonValue);
    const response = objectOf(body['form_response']);
    const answers = context.parameter('simplifyAnswers', true) ? simplified(response) : (response['answers'] ?? []);
    const whole = { ...body, form_response: { ...response, answers } };
    const short = isJsonObject(answers) ? answers : { answers };
    const json = context.parameter('onlyAnswers', true) ? short : whole;
    return { workflowData: [[{ json }]], ...deliveryOf(response['token']) };
  },
};

/** Question text → answer. */
function simplified({ definition, answers }: JsonObject): JsonObject {
  const titles = new Map(
    objectsOf(objectOf(definition)['fields']).map(({ id = '', title = '' }) => [asText(id), asText(title)]),
  );
  const pairs = objectsOf(answers).map((answer): [string, JsonValue] => {
    const id = asText(objectOf(answer['field'])['id'] ?? '');
    return [titles.get(id) ?? id, answerOf(answer)];
  });
  return Object.fromEntries(pairs);
}

/** https://www.typeform.com/developers/webhooks/example-payload/ */
function answerOf(answer: JsonObject): JsonValue {
  const value = ownProperty(answer, textOf(answer['type'])) ?? null;
  if (!isJsonObject(value)) return value;
  const { label, labels, other } = value;
  if (Array.isArray(labels)) return other === undefined ? labels : [...labels, other];
  return label ?? other ?? labels ?? value;
}

function registration(): WebhookMethods {
  return {
    async checkExists(context) {
      const { tag, secret } = context.staticData;
      if (typeof tag !== 'string' || typeof secret !== 'string') return false;
      return (await registered(context)).some(({ tag: one, enabled }) => one === tag && enabled === true);
    },
    checkAddress: async (context) => (await registered(context)).length > 0,
    async create(context) {
      await removeAll(context);
      const [tag, secret] = [`sluice-${randomBytes(8).toString('hex')}`, randomBytes(32).toString('base64url')];
      const json = { url: context.webhookUrl(), enabled: true, secret, verify_ssl: true };
      await typeformClient.send(context, { method: 'PUT', path: `${webhooksPath(context)}/${tag}`, json });
      Object.assign(context.staticData, { tag, secret });
      return true;
    },
    async delete(context) {
      await removeAll(context);
      delete context.staticData['tag'];
      delete context.staticData['secret'];
      return true;
    },
  };
}

/** The form's webhooks with our address. */
async function registered(context: WebhookContext): Promise<JsonObject[]> {
  const response = await typeformClient.send(context, { path: webhooksPath(context) });
  return objectsOf(objectOf(response)['items']).filter(({ url }) => url === context.webhookUrl());
}

async function removeAll(context: WebhookContext): Promise<void> {
  for (const { tag = '' } of await registered(context))
    await typeformClient.send(context, {
      method: 'DELETE',
      path: `${webhooksPath(context)}/${encodeURIComponent(asText(tag))}`,
    });
}

function webhooksPath(context: WebhookContext): string {
  return `/forms/${encodeURIComponent(asText(context.parameter<JsonValue>('formId', '')))}/webhooks`;
}

const formPageSize = 200;

const forms: Paging = {
  list: 'items',
  next: ({ body }, count) =>
    count < Number(objectOf(body)['total_items'] ?? 0) ? { query: { page: Math.floor(count / formPageSize) + 1 } } : undefined,
};

async function getForms(context: MethodContext): Promise<NodePropertyOption[]> {
  const records = await sendAll(typeformClient, context, { path: '/forms', query: { page_size: formPageSize } }, forms, 5_000);
  return choicesFrom(records, 'title');
}
