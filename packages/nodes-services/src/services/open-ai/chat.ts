import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/node-sdk';
import { choice, choices, collection, list, options, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Operation, Resource } from '../../shared/define-service.ts';
import { asText } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { completionOptions } from './completion-options.ts';
import { askModel, listIn, modelOf, optionsOf } from './open-ai-client.ts';

const roles = choices(['system', 'System'], ['user', 'User'], ['assistant', 'Assistant']);
const message = [choice('role', 'Role', roles), text('content', 'Content', 'The text of the message')];

const complete: Operation = {
  displayName: 'Complete',
  description: 'Asks a chat model',
  properties: [
    text('model', 'Model', 'A chat model: its name', { default: 'gpt-3.5-turbo', acceptsAnyValue: true }),
    text('chatModel', 'Chat Model', 'As "Model", in version 1.1', { acceptsAnyValue: true }),
    list('prompt', 'Prompt', 'messages', message, { acceptsAnyValue: true }),
    list('messages', 'Messages', 'values', message, { acceptsAnyValue: true }),
    toggle('simplifyOutput', 'Simplify', 'Whether to output only the answers, as an item each', { default: true }),
    options([
      ...completionOptions,
      collection(
        'responseFormat',
        'Response Format',
        [choice('type', 'Type', choices(['text', 'Text'], ['json_object', 'JSON', 'A message must mention JSON']))],
        { acceptsAnyValue: true },
      ),
    ]),
  ],
  run: async (item) => {
    const model = modelOf(item, ['chatModel', 'model'], 'gpt-3.5-turbo');
    return chatAnswers(item, model, messagesOf(item));
  },
};

/** Reasoning models have another name for the token limit. */
const reasoning = /^(?:o\d|gpt-5)/;

/** https://platform.openai.com/docs/api-reference/chat/create */
export async function chatAnswers(item: ServiceItem, model: string, messages: readonly JsonObject[]): Promise<JsonValue> {
  const limit = reasoning.test(model) ? 'max_completion_tokens' : 'max_tokens';
  const format = formatOf(item);
  const json: JsonObject = {
    model,
    messages: [...messages],
    ...optionsOf(item, limit),
    ...(format && { response_format: { type: format } }),
  };
  const answer = await askModel(item, '/chat/completions', json);
  return item.toggle('simplifyOutput', true) ? listIn(answer, 'choices') : answer;
}

function formatOf(item: ServiceItem): string {
  const { responseFormat: format } = item.fields('options');
  const type = isJsonObject(format) ? format['type'] : format;
  return typeof type === 'string' && type !== 'text' ? type : '';
}

/** In public workflows, the messages are in one of several places. */
function messagesOf(item: ServiceItem): JsonObject[] {
  const places = ['prompt.messages', 'messages.values', 'messages'].map((path) => item.entries(path).filter(isMessage));
  const written = places.find((messages) => messages.length > 0) ?? [];
  const plain = item.context.parameter<JsonValue>('prompt', item.index) ?? '';
  const messages = written.map(({ role, content }) => ({
    role: typeof role === 'string' && role !== '' ? role : 'user',
    content: asText(content),
  }));
  if (messages.length > 0) return messages;
  if (typeof plain === 'string' && plain !== '') return [{ role: 'user', content: plain }];
  throw item.error('there is no message', 'Add one in "Prompt"');
}

const isMessage = (value: JsonObject) => 'content' in value;

export const chat: Resource = {
  displayName: 'Chat',
  operations: { complete, create: { ...complete, displayName: 'Create', description: 'As "Complete"' } },
};
