import { isJsonObject, type JsonObject, type NodeProperty, parseJson } from '@sluice/node-sdk';
import { choice, choices, text, toggle, where } from '@sluice/nodes-base/node-tools';
import type { Operation, Resource } from '../../shared/define-service.ts';
import { asText, filledFields, objectOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import {
  ask,
  createSession,
  createWindow,
  endSession,
  orEndSession,
  type WindowIds,
  windowOf,
  windowPath,
} from './airtop-client.ts';
import { more, profileName, url, windowIds } from './airtop-properties.ts';

const existing = where({ sessionMode: ['existing'] });
const own = where({ sessionMode: ['new'] });

const session: readonly NodeProperty[] = [
  choice(
    'sessionMode',
    'Session Mode',
    choices(['existing', 'Use Existing Session'], ['new', 'Automatically Create Session', 'A session for this operation']),
  ),
  ...windowIds.map((property) => ({ ...property, ...existing })),
  { ...url, required: true, ...own },
  { ...profileName, ...own },
  toggle('autoTerminateSession', 'Auto-Terminate Session', 'Whether the session ends after the operation', {
    default: true,
    ...own,
  }),
];
const prompt = text('prompt', 'Prompt', 'What to find on the page, in words', { required: true });
const outputSchema: NodeProperty = {
  displayName: 'JSON Output Schema',
  name: 'outputSchema',
  type: 'json',
  default: '',
  description: 'JSON Schema of the answer',
};
const parseOutput = toggle('parseJsonOutput', 'Parse JSON Output', 'Whether an answer that is JSON is parsed');

interface Question {
  path: string;
  json: JsonObject;
}

const extracting = (
  displayName: string,
  description: string,
  properties: readonly NodeProperty[],
  question: (item: ServiceItem) => Question,
): Operation => ({
  displayName,
  description,
  properties: [...session, ...properties],
  // The question is read first: an invalid question costs no session.
  run: (item) => extract(item, question(item)),
});

/** https://docs.airtop.ai/api-reference/airtop-api/windows/page-query */
export const extraction: Resource = {
  displayName: 'Extraction',
  operations: {
    getPaginated: extracting(
      'Query Page with Pagination',
      'Finds content on a page and on those that follow it',
      [
        prompt,
        more(
          choice(
            'interactionMode',
            'Interaction Mode',
            choices(['auto', 'Auto'], ['accurate', 'Accurate'], ['cost-efficient', 'Cost Efficient']),
          ),
          outputSchema,
          choice(
            'paginationMode',
            'Pagination Mode',
            choices(['auto', 'Auto'], ['paginated', 'Paginated', 'By links to pages'], ['infinite-scroll', 'Infinite Scroll']),
          ),
          parseOutput,
        ),
      ],
      (item) => ({
        path: '/paginated-extraction',
        json: promptOf(item, {
          interactionMode: item.optional('additionalFields.interactionMode'),
          paginationMode: item.optional('additionalFields.paginationMode'),
        }),
      }),
    ),
    query: extracting(
      'Query Page',
      'Asks a model about a page',
      [
        prompt,
        more(
          toggle('includeVisualAnalysis', 'Include Visual Analysis', 'Whether the model sees the page, too'),
          outputSchema,
          parseOutput,
        ),
      ],
      (item) => ({
        path: '/page-query',
        json: promptOf(item, {
          includeVisualAnalysis: item.toggle('additionalFields.includeVisualAnalysis') ? 'enabled' : undefined,
        }),
      }),
    ),
    scrape: extracting('Smart Scrape', 'Returns the content of a page as Markdown', [], () => ({
      path: '/scrape-content',
      json: {},
    })),
  },
};

function promptOf(item: ServiceItem, settings: Readonly<Record<string, string | undefined>>): JsonObject {
  const schema = item.json('additionalFields.outputSchema');
  const configuration = filledFields({
    ...settings,
    outputSchema: schema === undefined ? undefined : JSON.stringify(schema),
  });
  return { prompt: item.required('prompt'), ...(Object.keys(configuration).length > 0 && { configuration }) };
}

async function extract(item: ServiceItem, question: Question): Promise<JsonObject> {
  if (item.text('sessionMode', 'existing') !== 'new') return answerIn(item, windowOf(item), question);
  const address = item.required('url');
  const created = await createSession(item, filledFields({ profileName: item.optional('profileName') }));
  const sessionId = asText(created['sessionId']);
  const ends = item.toggle('autoTerminateSession', true);
  const answer = await orEndSession(item, sessionId, async () => {
    const { windowId } = await createWindow(item, sessionId, { url: address });
    return answerIn(item, { sessionId, windowId: asText(windowId) }, question);
  });
  if (ends) await endSession(item, sessionId);
  return answer;
}

async function answerIn(item: ServiceItem, ids: WindowIds, { path, json }: Question): Promise<JsonObject> {
  const answer = await ask(item, ids, { path: windowPath(ids, path), json });
  return item.toggle('additionalFields.parseJsonOutput') ? parsed(answer) : answer;
}

/** An answer that is not JSON is returned as text. */
async function parsed(answer: JsonObject): Promise<JsonObject> {
  const { modelResponse, ...data } = objectOf(answer['data']);
  if (typeof modelResponse !== 'string') return answer;
  try {
    const value = await parseJson(modelResponse);
    return isJsonObject(value) || Array.isArray(value) ? { ...answer, data: { ...data, modelResponse: value } } : answer;
  } catch {
    return answer;
  }
}
