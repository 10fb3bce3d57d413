import { isJsonObject, type JsonObject, type JsonValue, NodeOperationError, ownProperty } from '@sluice/node-sdk';
import { ApiClient } from '../../shared/api-client.ts';
import { asText, objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import type { Paging } from '../../shared/paging.ts';

const hints: ReadonlyMap<string, string> = new Map([
  ['610', 'Check the ID: the object does not exist, or it is inactive'],
  ['3200', 'Connect the credential again'],
  ['5010', 'Somebody changed the object in the meantime: run the node again'],
  ['6240', 'Customers, vendors, and employees share their names: choose another one'],
]);

/**
 * Limits are per minute:
 * https://developer.intuit.com/app/developer/qbo/docs/learn/rest-api-features#limits-and-throttles
 */
const pauseMs = 12_000;

/** https://developer.intuit.com/app/developer/qbo/docs/api/accounting/all-entities/account */
export const quickbooksClient = new ApiClient({
  service: 'QuickBooks',
  credentialType: 'quickBooksOAuth2Api',
  headers: { accept: 'application/json' },
  baseUrl: companyUrl,
  refusesWithSuccess: true,
  refusalOf({ status, body }) {
    const fault = faultIn(body);
    if (status >= 200 && status <= 299 && !fault) return undefined;
    const { message = '', detail = '', code = '' } = fault ?? {};
    const number = code.replace(/^0+/, '');
    const text = detail === '' || detail === message ? message : [message, detail].filter((one) => one !== '').join(': ');
    return {
      ...(code !== '' && { code }),
      ...(text !== '' && { text }),
      ...(hints.has(number) && { hint: hints.get(number) }),
      ...(status === 429 && { retryAfterMs: pauseMs }),
    };
  },
});

/** The first error; some responses have lowercase member names. */
function faultIn(body: JsonValue | undefined): { message: string; detail: string; code: string } | undefined {
  if (!isJsonObject(body ?? null)) return undefined;
  const { Fault, fault = Fault } = body as JsonObject;
  if (!isJsonObject(fault ?? null)) return undefined;
  const { Error: errors, error = errors } = fault as JsonObject;
  const [first = {}] = objectsOf(error);
  const { Message, message = Message, Detail, detail = Detail, code } = first;
  return { message: textOf(message), detail: textOf(detail), code: textOf(code) };
}

/** The company that the user selected when the credential was connected. */
function companyUrl(credential: JsonObject): string {
  const { callbackQueryString } = objectOf(ownProperty(credential, 'oauthTokenData'));
  const { realmId = '' } = objectOf(callbackQueryString);
  if (realmId === '') {
    const description = 'Connect the credential again, and choose a company at QuickBooks';
    throw new NodeOperationError('the QuickBooks credential has no company', { description });
  }
  const host = credential['environment'] === 'sandbox' ? 'sandbox-quickbooks' : 'quickbooks';
  return `https://${host}.api.intuit.com/v3/company/${encodeURIComponent(asText(realmId))}`;
}

/** Maximum number of objects in a query response. */
export const pageSize = 1_000;

/**
 * A query of
 * https://developer.intuit.com/app/developer/qbo/docs/learn/explore-the-quickbooks-online-api/data-queries
 */
export function queryOf(entity: string, conditions: string, start: number, limit: number): string {
  const clauses = [
    `SELECT * FROM ${entity}`,
    conditions.trim(),
    `STARTPOSITION ${start}`,
    `MAXRESULTS ${Math.min(limit, pageSize)}`,
  ];
  return clauses.filter((clause) => clause !== '').join(' ');
}

/** Pages of a query, by their first object's position; the last page is not full. */
export function queryPages(entity: string, conditions: string, limit: number): Paging {
  return {
    list: `QueryResponse.${entity}`,
    next({ body }, count) {
      const page = objectOf(objectOf(body)['QueryResponse'])[entity];
      const isFull = Array.isArray(page) && page.length >= Math.min(limit, pageSize);
      return isFull ? { query: { query: queryOf(entity, conditions, count + 1, limit) } } : undefined;
    },
  };
}
