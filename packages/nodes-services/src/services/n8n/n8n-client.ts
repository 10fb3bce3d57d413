import { credentialText, isAppError, isJsonObject, type JsonValue } from '@sluice/node-sdk';
import { withoutFinalSlashes } from '@sluice/nodes-base/node-tools';
import { ApiClient, type ApiRequest } from '../../shared/api-client.ts';
import { cursorPaging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/**
 * The API of this service, and of others with a compatible API: see this service's docs under
 * `/api/v1/docs`.
 */
export const n8nClient = new ApiClient({
  service: 'API',
  credentialType: 'n8nApi',
  baseUrl: (credential) => withoutFinalSlashes(credentialText(credential, 'baseUrl')),
});

/** Maximum number of elements per page of a list. */
const pageSize = 250;

const pages = cursorPaging('data', 'nextCursor', 'cursor');

/** Requests a list, limited by the parameters `returnAll` and `limit`. */
export function listed(item: ServiceItem, path: string, query: ApiRequest['query']) {
  const limit = item.toggle('returnAll', true) ? Number.POSITIVE_INFINITY : item.number('limit', 100);
  return item.list({ path, query: { ...query, limit: Math.min(limit, pageSize) } }, pages, limit);
}

/**
 * Sends a request that this service supports. Other services may support only an older form of it,
 * which is tried after a 404 or 405. Throws the first error if the older form does not exist: the
 * 404 then means that the service has no such workflow or execution.
 */
export async function sendEither(item: ServiceItem, request: ApiRequest, older: ApiRequest): Promise<JsonValue | undefined> {
  try {
    return await item.send(request);
  } catch (error) {
    if (![404, 405].includes(statusOf(error))) throw error;
    return item.send(older).catch((second: unknown) => {
      throw statusOf(second) === 405 ? error : second;
    });
  }
}

/** The HTTP status of an error response; 0 for other errors. */
function statusOf(error: unknown): number {
  const details = isAppError(error) ? error.details : undefined;
  return isJsonObject(details) ? Number(details['status'] ?? 0) : 0;
}
