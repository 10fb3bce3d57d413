import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue, optionalCredentialText } from '@sluice/node-sdk';
import { type ApiAccess, ApiClient, type ApiRequest } from '../../shared/api-client.ts';
import { objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import { choicesFrom } from '../../shared/list-choices.ts';
import { OncePerRun } from '../../shared/once-per-run.ts';
import { type Paging, sendAll } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

const metadataUrl = 'https://login.mailchimp.com/oauth2/metadata';

const typeFor = ({ parameter }: Pick<ApiAccess, 'parameter'>): string =>
  parameter<string>('authentication', 'apiKey') === 'oAuth2' ? 'mailchimpOAuth2Api' : 'mailchimpApi';

/**
 * https://mailchimp.com/developer/marketing/api/: each account is in one data center, whose name is
 * part of the host.
 */
export const mailchimpClient = new ApiClient({
  service: 'Mailchimp',
  credentialType: typeFor,
  baseUrl: (credential) => addressOf(optionalCredentialText(credential, 'apiKey').trim().split('-').at(-1) ?? ''),
  refusalOf({ body }) {
    const { title, detail, errors } = objectOf(body);
    const [first = {}] = objectsOf(errors);
    const cause = [textOf(first['field']), textOf(first['message'])].filter((one) => one !== '').join(': ');
    const text = [textOf(detail), cause].filter((one) => one !== '').join(' ');
    const hint = hints.get(textOf(title));
    return {
      ...(textOf(title) !== '' && { code: textOf(title) }),
      ...(text !== '' && { text }),
      ...(hint !== undefined && { hint }),
    };
  },
});

const hints: ReadonlyMap<string, string> = new Map([
  ['Member Exists', 'The address is in the audience already: use the operation "Update"'],
  ['API Key Invalid', 'Check the key of the credential'],
  ['Forgotten Email Not Subscribed', 'Deleted members can only subscribe again by a form of Mailchimp'],
]);

const addressOf = (center: string): string => `https://${center}.api.mailchimp.com/3.0`;

/** API address for OAuth2 tokens. */
const addresses = new OncePerRun<string>();

async function located(access: ApiAccess, run: object, request: ApiRequest): Promise<ApiRequest> {
  const type = typeFor(access);
  if (type !== 'mailchimpOAuth2Api') return request;
  const address = await addresses.get(run, type, () => readAddress(access));
  return { ...request, path: `${address}${request.path}` };
}

/** https://mailchimp.com/developer/marketing/guides/access-user-data-oauth-2/ */
async function readAddress(access: ApiAccess): Promise<string> {
  const { dc } = objectOf(await mailchimpClient.send(access, { path: metadataUrl }));
  return addressOf(encodeURIComponent(textOf(dc)));
}

export async function send(item: ServiceItem, request: ApiRequest): Promise<JsonValue | undefined> {
  return item.send(await located(item.access, item.context, request));
}

/** Sends a request without a result. */
export async function done(item: ServiceItem, request: ApiRequest): Promise<JsonObject> {
  await send(item, request);
  return { success: true };
}

/** Maximum number of elements per page. */
const pageSize = 1_000;

const pagesOf = (list: string): Paging => ({
  list,
  next({ body }, count) {
    const { total_items: total, [list]: page } = objectOf(body);
    const hasMore = Array.isArray(page) && page.length > 0 && count < Number(total ?? 0);
    return hasMore ? { query: { offset: count } } : undefined;
  },
});

/** Requests a list, limited by the parameters `returnAll` and `limit`. */
export async function listed(item: ServiceItem, path: string, list: string, query: JsonObject = {}): Promise<JsonObject[]> {
  const limit = item.limit();
  const sized = { ...query, count: Math.min(limit, pageSize) };
  return item.list(await located(item.access, item.context, { path, query: sized }), pagesOf(list), limit);
}

/** A list for an editor. */
export async function choicesOf(access: ApiAccess, path: string, list: string, label: string, id = 'id') {
  const request = await located(access, access, { path, query: { count: pageSize } });
  const records = await sendAll(mailchimpClient, access, request, pagesOf(list), pageSize);
  return choicesFrom(records, label, id);
}

export const listPath = (item: ServiceItem): string => `/lists/${encodeURIComponent(item.id('list'))}`;

/** Members are identified by the MD5 hash of their lowercase email address. */
export function memberPath(item: ServiceItem): string {
  const address = item.required('email').trim().slice(0, 1_000).toLowerCase();
  return `${listPath(item)}/members/${createHash('md5').update(address).digest('hex')}`;
}

/** Request options under their API names: `sinceSendTime` → `since_send_time`. */
export function snakeCased(options: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name.slice(0, 100).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      isJsonObject(value) ? JSON.stringify(value) : value,
    ]),
  );
}
