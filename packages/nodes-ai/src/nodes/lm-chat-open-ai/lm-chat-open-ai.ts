import type { NodeType } from '@sluice/node-sdk';
import { choice, choices, options, text, toggle, when } from '@sluice/nodes-base/node-tools';
import { baseUrl, modelMethods, modelProperty } from '../../shared/model-list.ts';
import { chatOptions } from '../../shared/model-properties.ts';
import { builtInToolsProperty } from './built-in-tools.ts';
import { publicAddress, supplyOpenAi } from './supply-open-ai.ts';

/** Chat models of OpenAI and of services with a compatible API. */
export const lmChatOpenAi: NodeType = {
  description: {
    displayName: 'OpenAI Chat Model',
    name: 'lm-chat-open-ai',
    group: ['transform'],
    version: [1, 1.1, 1.2, 1.3],
    description: 'Supplies a chat model from OpenAI, or from a service with a compatible API',
    defaults: { name: 'OpenAI Chat Model' },
    inputs: [],
    outputs: ['ai_languageModel'],
    credentials: [{ name: 'openAiApi', required: true }],
    properties: [
      modelProperty('model', 'gpt-4o-mini'),
      toggle('responsesApiEnabled', 'Use Responses API', 'Whether to use the Responses API instead of Chat Completions', {
        default: true,
        ...when([1.3]),
      }),
      builtInToolsProperty,
      options([
        text('baseURL', 'Base URL', 'Address of the API, instead of that of the credential'),
        ...chatOptions(['temperature', 'maxTokens', 'topP', 'frequencyPenalty', 'presencePenalty', 'responseFormat']),
        choice(
          'reasoningEffort',
          'Reasoning Effort',
          choices(['medium', 'Medium'], ['none', 'None'], ['minimal', 'Minimal'], ['low', 'Low'], ['high', 'High']),
        ),
        ...['conversationId', 'promptCacheKey', 'safetyIdentifier', 'serviceTier'].map((name) =>
          text(name, name, 'Passed to the Responses API', when([1.3])),
        ),
        text('metadata', 'metadata', 'JSON: names and strings that the Responses API keeps', { type: 'json', ...when([1.3]) }),
      ]),
    ],
    icon: 'fa:comment',
  },
  methods: modelMethods({ credential: 'openAiApi', url: (data) => `${baseUrl(data, 'url', publicAddress)}/models` }),
  supply: supplyOpenAi,
};
