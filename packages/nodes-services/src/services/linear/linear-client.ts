import type { JsonObject, JsonValue, MethodContext, NodePropertyOption } from '@sluice/node-sdk';
import { type ApiAccess, ApiClient, type ApiRequest, type ApiResponse } from '../../shared/api-client.ts';
import { objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import { choicesFrom } from '../../shared/list-choices.ts';
import { type Paging, sendAll } from '../../shared/paging.ts';
import type { Refusal } from '../../shared/refusal.ts';

/** https://linear.app/developers/graphql: error responses have `errors`, some with status 200. */
export const linearClient = new ApiClient({
  service: 'Linear',
  credentialType: ({ parameter }) =>
    parameter<string>('authentication', 'apiToken') === 'oAuth2' ? 'linearOAuth2Api' : 'linearApi',
  baseUrl: 'https://api.linear.app/graphql',
  refusesWithSuccess: true,
  refusalOf,
});

const hints: ReadonlyMap<string, string> = new Map([
  ['AUTHENTICATION_ERROR', 'Check the credential: Linear does not know it, or it has expired'],
  ['FORBIDDEN', 'The account of the credential may not do this: check its teams and scopes'],
  ['INPUT_ERROR', 'Check the parameters: an ID does not exist, or the account of the credential cannot see it'],
]);

/** Limits refill continuously: https://linear.app/developers/rate-limiting */
const pauseMs = 10_000;

function refusalOf({ status, headers, body }: ApiResponse): Refusal | undefined {
  const [first] = objectsOf(objectOf(body)['errors']);
  if (!first) return undefined;
  const { code, userPresentableMessage: userMessage } = objectOf(first['extensions']);
  const name = textOf(code);
  const hint = hints.get(name);
  const text = textOf(userMessage) || textOf(first['message']);
  return {
    ...(name !== '' && { code: name }),
    ...(text !== '' && { text }),
    ...(hint !== undefined && { hint }),
    ...((name === 'RATELIMITED' || status === 429) && { retryAfterMs: untilReset(headers['x-ratelimit-requests-reset']) }),
  };
}

/** The header is in milliseconds since 1970. */
function untilReset(header: string | string[] | undefined): number {
  const remaining = Number(header ?? 0) - Date.now();
  return remaining > 0 ? remaining : pauseMs;
}

type Variables = Readonly<Record<string, JsonValue | undefined>>;

function requestOf(query: string, variables: Variables): ApiRequest {
  const entries = Object.entries(variables).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
  return { method: 'POST', path: '', json: { query, variables: Object.fromEntries(entries) } };
}

/** Sends a query or a mutation; resolves to the named member of `data`. */
export async function ask(access: ApiAccess, query: string, member: string, variables: Variables = {}): Promise<JsonObject> {
  const body = objectOf(await linearClient.send(access, requestOf(query, variables)));
  return objectOf(objectOf(body['data'])[member]);
}

const pageSize = 50;

/** Elements of a connection: https://linear.app/developers/pagination */
export function askAll(access: ApiAccess, query: string, member: string, limit: number): Promise<JsonObject[]> {
  const first = Math.min(limit, pageSize);
  const paging: Paging = {
    list: `data.${member}.nodes`,
    next({ body }) {
      const { hasNextPage, endCursor } = objectOf(objectOf(objectOf(objectOf(body)['data'])[member])['pageInfo']);
      return hasNextPage === true && typeof endCursor === 'string'
        ? { json: { variables: { first, after: endCursor } } }
        : undefined;
    },
  };
  return sendAll(linearClient, access, requestOf(query, { first }), paging, limit);
}

/** A query for the elements of a connection. */
export const listQuery = (member: string, fields: string, filter = ''): string =>
  `query ($first: Int!, $after: String) { ${member} (first: $first, after: $after${filter}) { nodes { ${fields} } pageInfo { hasNextPage endCursor } } }`;

const maxChoices = 1_000;

export async function choicesOf(context: MethodContext, member: string, name: string): Promise<NodePropertyOption[]> {
  const records = await askAll(context, listQuery(member, `id ${name}`), member, maxChoices);
  return choicesFrom(records, name);
}
