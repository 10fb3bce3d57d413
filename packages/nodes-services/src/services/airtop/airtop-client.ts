import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { pause } from '@sluice/nodes-base/node-tools';
import { ApiClient, type ApiRequest } from '../../shared/api-client.ts';
import { objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://docs.airtop.ai/api-reference/airtop-api */
export const airtopClient = new ApiClient({
  service: 'Airtop',
  credentialType: 'airtopApi',
  baseUrl: 'https://api.airtop.ai/api/v1',
  refusesWithSuccess: true,
  refusalOf({ body }) {
    const [{ code, message } = {}] = objectsOf(objectOf(body)['errors']);
    if (message === undefined) return undefined;
    return { ...(typeof code === 'string' && { code }), ...(typeof message === 'string' && { text: message }) };
  },
});

/** Longest wait for a page, or for the model that reads it. */
const timeoutMs = 600_000;

export interface WindowIds {
  sessionId: string;
  windowId: string;
}

/** An ID from the parameters, or from the item, which an earlier Airtop node returned. */
function idOf(item: ServiceItem, name: 'sessionId' | 'windowId'): string {
  const own = item.text(name).trim() || textOf(item.context.items()[item.index]?.json[name]);
  if (own !== '') return own;
  throw item.error(`the parameter "${name}" is required`, 'Set it to the ID that an earlier node of Airtop returned');
}

export const sessionOf = (item: ServiceItem): string => idOf(item, 'sessionId');
export const windowOf = (item: ServiceItem): WindowIds => ({ sessionId: sessionOf(item), windowId: idOf(item, 'windowId') });

export const sessionPath = (sessionId: string, more = ''): string => `/sessions/${encodeURIComponent(sessionId)}${more}`;
export const windowPath = ({ sessionId, windowId }: WindowIds, more = ''): string =>
  sessionPath(sessionId, `/windows/${encodeURIComponent(windowId)}${more}`);

/** Sends a request; resolves to the response with the IDs, which later nodes read from the item. */
export async function ask(item: ServiceItem, ids: Partial<WindowIds>, request: ApiRequest): Promise<JsonObject> {
  return { ...ids, ...objectOf(await item.send({ timeoutMs, ...request })) };
}

/** Pauses between requests for a session's state: 0.5 seconds, then longer. */
const firstPauseMs = 500;
const longestPauseMs = 5_000;
const maxQuestions = 60;

/** Creates a session, and waits until its browser runs. */
export async function createSession(item: ServiceItem, configuration: JsonObject): Promise<JsonObject> {
  const created = objectOf(await item.send({ path: '/sessions', json: { configuration } }));
  const { id, status } = objectOf(created['data']);
  const sessionId = textOf(id);
  if (sessionId === '') throw item.error('the response of Airtop has no session', 'Try again, or check the state of Airtop');
  if (status === 'running' || status === undefined) return { sessionId, ...created };
  return orEndSession(item, sessionId, () => untilRunning(item, sessionId));
}

async function untilRunning(item: ServiceItem, sessionId: string): Promise<JsonObject> {
  let pauseMs = firstPauseMs;
  for (let question = 1; question <= maxQuestions; question++) {
    await pause(pauseMs, item.context.signal);
    pauseMs = Math.min(pauseMs * 1.5, longestPauseMs);
    const response = objectOf(await item.send({ path: sessionPath(sessionId) }));
    const state = objectOf(response['data'])['status'];
    if (state === 'running') return { sessionId, ...response };
    if (state === 'ended') break;
  }
  throw item.error(
    'the browser of the session did not start',
    'Try again later, or check the plan and the proxy of the session',
  );
}

export const endSession = async (item: ServiceItem, sessionId: string): Promise<void> => {
  await item.send({ method: 'DELETE', path: sessionPath(sessionId), accepts: [404] });
};

/**
 * Ends a session that the node started if its work fails: an orphaned one costs credits until its
 * timeout.
 */
export async function orEndSession<T>(item: ServiceItem, sessionId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // Report the first error.
    await endSession(item, sessionId).catch(() => {});
    throw error;
  }
}

export function saveProfile(item: ServiceItem, sessionId: string, name: string): Promise<JsonValue | undefined> {
  const path = sessionPath(sessionId, `/save-profile-on-termination/${encodeURIComponent(name)}`);
  return item.send({ method: 'PUT', path });
}

/** Opens a page in a new window. */
export async function createWindow(item: ServiceItem, sessionId: string, settings: JsonObject): Promise<JsonObject> {
  const response = objectOf(await item.send({ path: sessionPath(sessionId, '/windows'), json: settings, timeoutMs }));
  return { sessionId, windowId: textOf(objectOf(response['data'])['windowId']), ...response };
}
