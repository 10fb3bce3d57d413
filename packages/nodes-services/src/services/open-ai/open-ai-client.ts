import { isJsonObject, type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import { withoutFinalSlashes } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { asText, locatedValue, objectOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://platform.openai.com/docs/api-reference */
export const openAiClient = new ApiClient({
  service: 'OpenAI',
  credentialType: 'openAiApi',
  baseUrl: (data) => withoutFinalSlashes(optionalCredentialText(data, 'url', 'https://api.openai.com/v1')),
  refusalOf: ({ body }) => {
    const error = objectOf(body)['error'];
    return isJsonObject(error) && typeof error['code'] === 'string' ? { code: error['code'] } : {};
  },
});

/** Longest wait for a response: images take minutes. */
const timeoutMs = 300_000;
/** Maximum number of elements in an answer that become items. */
const maxElements = 10_000;

/** Calls the model named in the request. */
export function askModel(item: ServiceItem, path: string, json: JsonObject): Promise<JsonObject> {
  return item.ask(asText(json['model']), { path, json, timeoutMs });
}

export function listIn(answer: JsonObject, member: string): JsonObject[] {
  const list = answer[member];
  return Array.isArray(list) ? list.slice(0, maxElements).filter((one) => isJsonObject(one)) : [];
}

/** API members that contain an option's value. */
const names: Readonly<Record<string, string>> = {
  bestOf: 'best_of',
  echo: 'echo',
  frequencyPenalty: 'frequency_penalty',
  n: 'n',
  presencePenalty: 'presence_penalty',
  quality: 'quality',
  size: 'size',
  style: 'style',
  temperature: 'temperature',
  topP: 'top_p',
};

/** Request members from the options that are set. `limit`: the member with the token limit. */
export function optionsOf(item: ServiceItem, limit = 'max_tokens'): JsonObject {
  const entries = Object.entries(item.fields('options')).flatMap(([name, value]): [string, JsonObject[string]][] => {
    const member = name === 'maxTokens' ? limit : Object.hasOwn(names, name) ? (names[name] ?? '') : '';
    return member === '' ? [] : [[member, value]];
  });
  return Object.fromEntries(entries);
}

/** The model from a string or a resource locator, in the first of these parameters that is set. */
export function modelOf(item: ServiceItem, parameters: readonly string[], fallback: string): string {
  for (const parameter of parameters) {
    const value = item.context.parameter(parameter, item.index) ?? '';
    const id = locatedValue(value);
    if (typeof id === 'string' && id.trim() !== '') return id.trim();
  }
  return fallback;
}
