import type { JsonObject } from '@sluice/node-sdk';
import { readServiceXml } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { asText, objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import { countRead } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** The service answers in XML, and reports a rate limit with status 400. */
const pauseMs = 2_000;

/** https://docs.aws.amazon.com/IAM/latest/APIReference/ */
export const client = new ApiClient({
  service: 'AWS IAM',
  credentialType: 'aws',
  baseUrl: 'https://iam.amazonaws.com',
  refusalOf({ start }) {
    const code = /<Code>([^<]{1,100})<\/Code>/.exec(start)?.[1];
    const text = /<Message>([^<]{1,1000})<\/Message>/.exec(start)?.[1];
    return { code, text, ...(code === 'Throttling' && { retryAfterMs: pauseMs }) };
  },
});

/** Calls an action; resolves to its result. Empty parameters are omitted. */
export async function call(
  item: ServiceItem,
  action: string,
  parameters: Readonly<Record<string, string>>,
): Promise<JsonObject> {
  const filled = Object.entries(parameters).filter(([, value]) => value !== '');
  const form = { Action: action, Version: '2010-05-08', ...Object.fromEntries(filled) };
  const { body, byteLength } = await item.exchange({ path: '/', form });
  countRead(item.access, byteLength);
  const response = objectOf((await parsed(item, textOf(body)))[`${action}Response`]);
  return objectOf(response[`${action}Result`]);
}

async function parsed(item: ServiceItem, xml: string): Promise<JsonObject> {
  try {
    return await readServiceXml(item.context, xml);
  } catch {
    throw item.error('the service response is not XML', 'Check that no proxy answers in place of AWS');
  }
}

/** The most elements that the service returns at once. */
const pageSize = 1_000;

/** Calls an action page by page; `member`: the list in its result. */
export async function list(
  item: ServiceItem,
  action: string,
  member: string,
  parameters: Readonly<Record<string, string>>,
): Promise<JsonObject[]> {
  const limit = item.limit(100);
  const records: JsonObject[] = [];
  for (let marker = ''; ; ) {
    const result = await call(item, action, { ...parameters, MaxItems: asText(Math.min(limit, pageSize)), Marker: marker });
    for (const record of objectsOf(objectOf(result[member])['member'])) records.push(record);
    marker = textOf(result['Marker']);
    if (result['IsTruncated'] !== 'true' || marker === '' || records.length >= limit) return records.slice(0, limit);
  }
}
