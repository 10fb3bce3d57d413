import { isJsonObject, type JsonObject, type JsonValue, type MethodContext, optionalCredentialText } from '@sluice/node-sdk';
import { withoutFinalSlashes } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { asText, objectOf, textOf } from '../../shared/json-values.ts';
import type { Paging } from '../../shared/paging.ts';

/** https://api.baserow.io/api/redoc/ */
export const baserowClient = new ApiClient({
  service: 'Baserow',
  credentialType: ({ parameter }) => (isByToken({ parameter }) ? 'baserowTokenApi' : 'baserowApi'),
  baseUrl: (credential) => `${withoutFinalSlashes(optionalCredentialText(credential, 'host', 'https://api.baserow.io'))}/api`,
  refusalOf({ body }) {
    const { error, detail } = objectOf(body);
    const text = reasonIn(detail);
    return { ...(textOf(error) !== '' && { code: textOf(error) }), ...(text !== '' && { text }) };
  },
});

export const isByToken = ({ parameter }: Pick<MethodContext, 'parameter'>): boolean =>
  parameter<string>('authentication', 'usernamePassword') === 'databaseToken';

/** `{ "field_1": [{ "error": "Not a number." }] }` is `field_1: Not a number.` */
function reasonIn(detail: JsonValue | undefined): string {
  if (typeof detail === 'string') return detail;
  const object = objectOf(detail);
  for (const name in object) {
    const [first] = [object[name] ?? ''].flat();
    const text = isJsonObject(first ?? '') ? textOf(objectOf(first)['error']) : textOf(first);
    return text === '' ? '' : `${name}: ${text}`;
  }
  return '';
}

/** Maximum number of rows per page of a list, and of a batch. */
export const pageSize = 200;

/** Numbered pages; `size` is the page size of the request. */
export const pages = (size: number): Paging => ({
  list: 'results',
  next({ body }, count) {
    const { next = null } = objectOf(body);
    return next !== null && count > 0 ? { query: { page: Math.floor(count / size) + 1 } } : undefined;
  },
});

/** Objects in a database, for editor lists. */
export const named = ({ id = '', name = '' }: JsonObject) => ({ name: asText(name), value: Number(id) });
