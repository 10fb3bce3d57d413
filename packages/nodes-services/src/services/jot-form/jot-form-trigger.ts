import { randomBytes } from 'node:crypto';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MethodContext,
  type NodePropertyOption,
  type NodeType,
  ownProperty,
  parseJson,
  type WebhookContext,
  type WebhookMethods,
  type WebhookRequestContext,
} from '@sluice/node-sdk';
import { toggle } from '@sluice/nodes-base/node-tools';
import { asText, objectOf, textOf } from '../../shared/json-values.ts';
import { choicesFrom } from '../../shared/list-choices.ts';
import { type Paging, sendAll } from '../../shared/paging.ts';
import { isSecret, refuseRequest } from '../../shared/signed-request.ts';
import { jotFormClient } from './jot-form-client.ts';

/**
 * Receives form submissions. Jotform does not sign its requests, so the registered URL contains a
 * token that only Jotform receives.
 */
export const jotFormTrigger: NodeType = {
  description: {
    displayName: 'Jotform Trigger',
    name: 'jot-form-trigger',
    group: ['trigger'],
    version: 1,
    description: 'Starts the workflow when somebody submits a Jotform form',
    defaults: { name: 'Jotform Trigger' },
    inputs: [],
    outputs: ['main'],
    icon: 'fa:clipboard',
    iconColor: 'orange',
    credentials: [{ name: 'jotFormApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName: 'Form',
        name: 'form',
        type: 'options',
        default: '',
        required: true,
        typeOptions: { loadOptionsMethod: 'getForms' },
        description: 'The form whose submissions start the workflow: chosen from the list, or by ID',
      },
      toggle('resolveData', 'Resolve Data', 'Whether answers have the text of the questions as names, instead of their IDs', {
        default: true,
      }),
      toggle('onlyAnswers', 'Only Answers', 'Whether to output only the answers, instead of all that Jotform sends', {
        default: true,
      }),
    ],
  },
  methods: { loadOptions: { getForms } },
  webhookMethods: { default: registration() },
  async webhook(context) {
    const { staticData, request } = context;
    if (!isSecret(request.query['token'], textOf(staticData['token']))) return refuseRequest(context, 'the token is wrong');
    const body = objectOf(request.body);
    const answers = await answersOf(context, body);
    const json = context.parameter('onlyAnswers', true) ? answers : { ...body, rawRequest: answers };
    return { workflowData: [[{ json }]] };
  },
};

/** A submission's answers. Jotform sends them as JSON text, under names such as `q3_fullName`. */
async function answersOf(context: WebhookRequestContext, body: JsonObject): Promise<JsonObject> {
  const raw = body['rawRequest'] ?? '{}';
  const parsed = typeof raw === 'string' ? ((await parseJson(raw)) as JsonValue) : raw;
  const answers = objectOf(parsed);
  if (!context.parameter('resolveData', true)) return answers;
  const questions = contentOf(await jotFormClient.send(context, { path: formPath(context, '/questions') }));
  const named = Object.entries(answers).flatMap(([key, answer]): [string, JsonValue][] => {
    const id = /^q(\d+)_/.exec(key)?.[1];
    const question = id === undefined ? undefined : ownProperty(questions, id);
    return isJsonObject(question) ? [[asText(question['text'] ?? key), answer]] : [];
  });
  return { ...Object.fromEntries(named), ...uploadsOf(answers, questions) };
}

/**
 * The URLs of uploaded files. Jotform sends them under the name of the question, without the `q3_`
 * prefix.
 */
function uploadsOf(answers: JsonObject, questions: JsonObject): JsonObject {
  const uploads = Object.values(questions)
    .filter(isJsonObject)
    .flatMap((question): [string, JsonValue][] => {
      const { type = '', name = '', text = name } = question;
      const urls = type === 'control_fileupload' ? ownProperty(answers, asText(name)) : undefined;
      return urls === undefined ? [] : [[asText(text), urls]];
    });
  return Object.fromEntries(uploads);
}

function registration(): WebhookMethods {
  return {
    checkExists: async (context) =>
      typeof context.staticData['token'] === 'string' && (await registeredIds(context)).length === 1,
    checkAddress: async (context) => (await registeredIds(context)).length > 0,
    async create(context) {
      await removeAll(context);
      const token = randomBytes(32).toString('base64url');
      const form = { webhookURL: `${context.webhookUrl()}?token=${token}` };
      await jotFormClient.send(context, { path: formPath(context, '/webhooks'), form });
      context.staticData['token'] = token;
      return true;
    },
    async delete(context) {
      await removeAll(context);
      delete context.staticData['token'];
      return true;
    },
  };
}

/**
 * IDs of the webhooks with our URL, the highest first: Jotform renumbers higher IDs after a
 * removal.
 */
async function registeredIds(context: WebhookContext): Promise<number[]> {
  const webhooks = contentOf(await jotFormClient.send(context, { path: formPath(context, '/webhooks') }));
  const ownUrl = context.webhookUrl();
  const own = Object.entries(webhooks).filter(([, url]) => typeof url === 'string' && url.split('?', 1)[0] === ownUrl);
  return own.map(([id]) => Number(id)).sort((a, b) => b - a);
}

async function removeAll(context: WebhookContext): Promise<void> {
  for (const id of await registeredIds(context))
    await jotFormClient.send(context, { method: 'DELETE', path: formPath(context, `/webhooks/${id}`) });
}

function formPath(context: Pick<WebhookContext, 'parameter'>, suffix: string): string {
  return `/form/${encodeURIComponent(asText(context.parameter<JsonValue>('form', '')))}${suffix}`;
}

/** The `content` of a response: an object by ID, which Jotform sends as a list if it is empty. */
function contentOf(body: JsonValue | undefined): JsonObject {
  const content = objectOf(body)['content'];
  if (Array.isArray(content)) return Object.fromEntries(content.entries());
  return objectOf(content);
}

const formPageSize = 1_000;
const maxForms = 5_000;

const formPaging: Paging = {
  list: 'content',
  next: (_, count) => (count > 0 && count % formPageSize === 0 ? { query: { offset: count } } : undefined),
};

async function getForms(context: MethodContext): Promise<NodePropertyOption[]> {
  const query = { limit: formPageSize };
  const forms = await sendAll(jotFormClient, context, { path: '/user/forms', query }, formPaging, maxForms);
  return choicesFrom(forms, 'title');
}
