import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ExecuteContext, JsonObject, NodeProperty, NodeType } from '@sluice/node-sdk';
import { options } from '@sluice/nodes-base/node-tools';
import { boundedFetch } from '../adapter/bounded-answer.ts';
import { guardedFetch } from '../adapter/guarded-fetch.ts';
import { type ModelSettings, SdkLanguageModel } from '../adapter/sdk-language-model.ts';
import { defaultModel, type ModelList, type ModelParameter, modelIdOf, modelMethods, modelProperties } from './model-list.ts';
import { chatSettings, timeoutOf } from './model-properties.ts';

/** Input of `open`. */
export interface ModelUse {
  context: ExecuteContext;
  itemIndex: number;
  modelId: string;
  /** Credential fields. */
  data: JsonObject;
  /** For the provider's library: a dummy key, which the guarded client replaces, and the client. */
  provider: { apiKey: string; fetch: typeof globalThis.fetch };
}

export interface ChatModelSource {
  /** As `lm-chat-groq`. */
  name: string;
  /** Display name of the provider. */
  service: string;
  /** Default: `<service> Chat Model`. */
  displayName?: string;
  version?: readonly number[];
  credential: string;
  model: ModelParameter;
  /** Members of `options`. */
  options: readonly NodeProperty[];
  /** Absent: the provider has no model list. */
  list?: Omit<ModelList, 'credential'>;
  /** Creates the model; imports the provider's library. */
  open(use: ModelUse): Promise<LanguageModelV4>;
  /** Settings of the provider. */
  settings?(use: ModelUse): Partial<ModelSettings>;
}

/** A node type that supplies a chat model. */
export function defineChatModel(source: ChatModelSource): NodeType {
  const { name, service, credential, model, list, version = [1], displayName = `${service} Chat Model` } = source;
  const parameter = model.name ?? 'model';
  return {
    description: {
      displayName,
      name,
      group: ['transform'],
      version: [...version],
      description: `Supplies a chat model from ${service}`,
      defaults: { name: displayName },
      inputs: [],
      outputs: ['ai_languageModel'],
      credentials: [{ name: credential, required: true }],
      properties: [...modelProperties(model, version, list !== undefined), options(source.options)],
      icon: 'fa:comment',
    },
    ...(list && { methods: modelMethods({ ...list, credential }) }),
    supply: async (context, itemIndex) => {
      const modelId = modelIdOf(context, itemIndex, parameter, defaultModel(model, context.typeVersion));
      const use = { context, itemIndex, modelId, ...(await accessOf(context, itemIndex, credential)) };
      return new SdkLanguageModel(await source.open(use), {
        ...chatSettings(context, itemIndex),
        ...source.settings?.(use),
      });
    },
  };
}

/**
 * The credential, and the values that a library needs to call its provider with it. `bound` keeps
 * responses small for the library.
 */
export async function accessOf(
  context: ExecuteContext,
  itemIndex: number,
  credential: string,
  bound: (fetch: typeof globalThis.fetch) => typeof globalThis.fetch = boundedFetch,
): Promise<Pick<ModelUse, 'data' | 'provider'>> {
  const fetch = guardedFetch({
    http: context.http,
    authentication: await context.authentication(credential, itemIndex),
    timeoutMs: timeoutOf(context, itemIndex),
    signal: context.signal,
  });
  const provider = { apiKey: 'of-the-credential', fetch: bound(fetch) };
  return { data: await context.credentials(credential, itemIndex), provider };
}
