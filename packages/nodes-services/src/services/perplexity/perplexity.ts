import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/node-sdk';
import { choice, choices, list, number, options, text, toggle } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { defineService, type Resource } from '../../shared/define-service.ts';
import { asText, objectOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://docs.perplexity.ai/api-reference/chat-completions-post */
const client = new ApiClient({
  service: 'Perplexity',
  credentialType: 'perplexityApi',
  baseUrl: 'https://api.perplexity.ai',
  refusalOf: ({ body }) => {
    const error = objectOf(body)['error'];
    return isJsonObject(error) && typeof error['type'] === 'string' ? { code: error['type'] } : {};
  },
});

/** Longest wait for a response: deep research takes minutes. */
const timeoutMs = 900_000;

const roles = choices(['user', 'User'], ['system', 'System'], ['assistant', 'Assistant']);

const chat: Resource = {
  displayName: 'Chat',
  operations: {
    complete: {
      displayName: 'Message a Model',
      description: 'Asks a model that searches the web, and answers with its sources',
      properties: [
        text('model', 'Model', 'As `sonar`, `sonar-pro`, `sonar-reasoning-pro`, or `sonar-deep-research`', {
          default: 'sonar',
        }),
        list('messages', 'Messages', 'message', [
          text('content', 'Text', 'The text of the message'),
          choice('role', 'Role', roles),
        ]),
        toggle('simplify', 'Simplify Output', 'Whether to output only the message and its sources'),
        options([
          number('frequencyPenalty', 'Frequency Penalty', 1, 'Against repeated words'),
          number('maxTokens', 'Maximum Number of Tokens', 1, 'Most tokens of the answer'),
          number('temperature', 'Output Randomness (Temperature)', 0.2, 'Randomness of the answer; 0: least'),
          number('topK', 'Output Randomness (Top K)', 0, 'Number of likely tokens that are considered; 0: all'),
          number('topP', 'Output Randomness (Top P)', 0.9, 'Share of likely tokens that are considered'),
          number('presencePenalty', 'Presence Penalty', 0, 'In favor of new topics'),
          toggle('returnImages', 'Return Images', 'Whether the answer has images'),
          toggle('returnRelatedQuestions', 'Return Related Questions', 'Whether the answer has further questions'),
          choice(
            'searchRecency',
            'Search Recency',
            choices(['month', 'Month'], ['week', 'Week'], ['day', 'Day'], ['hour', 'Hour'], ['year', 'Year']),
          ),
          text('searchDomainFilter', 'Search Domains', 'Domains to search, separated by commas; `-` before one excludes it'),
        ]),
      ],
      run: complete,
    },
  },
};

/** Calls Perplexity, whose models search the web. */
export const perplexity = defineService({
  displayName: 'Perplexity',
  name: 'perplexity',
  version: 1,
  description: 'Asks Perplexity models, which search the web and cite their sources',
  credentials: [{ name: 'perplexityApi', required: true }],
  icon: 'fa:search',
  iconColor: 'blue',
  group: ['transform'],
  client,
  resources: { chat },
});

async function complete(item: ServiceItem): Promise<JsonObject> {
  const model = item.text('model', 'sonar') || 'sonar';
  const json = { model, messages: messagesOf(item), ...optionsOf(item) };
  const answer = await item.ask(model, { path: '/chat/completions', json, timeoutMs });
  return item.toggle('simplify') ? simplified(answer) : answer;
}

function messagesOf(item: ServiceItem): JsonObject[] {
  const written = item.entries('messages.message').map(({ role, content }) => ({
    role: typeof role === 'string' && role !== '' ? role : 'user',
    content: asText(content),
  }));
  if (written.length === 0) throw item.error('there is no message', 'Add one in "Messages"');
  return written;
}

/** API members that contain an option's value. */
const names: Readonly<Record<string, string>> = {
  frequencyPenalty: 'frequency_penalty',
  maxTokens: 'max_tokens',
  temperature: 'temperature',
  topK: 'top_k',
  topP: 'top_p',
  presencePenalty: 'presence_penalty',
  returnImages: 'return_images',
  returnRelatedQuestions: 'return_related_questions',
  searchRecency: 'search_recency_filter',
};

function optionsOf(item: ServiceItem): JsonObject {
  const fields = item.fields('options');
  const members = Object.entries(fields).flatMap(([name, value]): [string, JsonValue][] => {
    const member = Object.hasOwn(names, name) ? names[name] : undefined;
    return member === undefined ? [] : [[member, value]];
  });
  const domains = item.text('options.searchDomainFilter').split(',');
  const wanted = domains.map((domain) => domain.trim()).filter((domain) => domain !== '');
  return { ...Object.fromEntries(members), ...(wanted.length > 0 && { search_domain_filter: wanted }) };
}

/** Maximum number of choices that are read. */
const maxChoices = 100;

function simplified({ choices: answers, citations, images, related_questions: questions }: JsonObject): JsonObject {
  const [first] = Array.isArray(answers) ? answers.slice(0, maxChoices) : [];
  const message = objectOf(objectOf(first)['message']);
  return {
    ...(citations !== undefined && { citations }),
    message: message['content'] ?? '',
    ...(images !== undefined && { images }),
    ...(questions !== undefined && { related_questions: questions }),
  };
}
