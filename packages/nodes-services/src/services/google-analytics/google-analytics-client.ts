import type { MethodContext } from '@sluice/node-sdk';
import { googleClient } from '../../shared/google-client.ts';
import { asText, objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import { cursorPaging, sendAll } from '../../shared/paging.ts';
import { chosenId } from '../../shared/service-item.ts';

/** https://developers.google.com/analytics/devguides/reporting/data/v1/rest */
export const analyticsClient = googleClient(
  'Google Analytics',
  'https://analyticsdata.googleapis.com/v1beta',
  'googleAnalyticsOAuth2',
);

/** https://developers.google.com/analytics/devguides/config/admin/v1 */
const accounts = 'https://analyticsadmin.googleapis.com/v1beta/accountSummaries';

/**
 * A property in the address of a report:
 * `https://analytics.google.com/analytics/web/#/p123/reports`.
 */
export const propertyUrl = /analytics\.google\.com\/.*?(?:#\/|\/a\d+)p(\d+)/;

/** `properties/123`, for an ID with or without its prefix. */
export const propertyPath = (id: string): string => `/properties/${encodeURIComponent(id.replace(/^properties\//, ''))}`;

const maxAccounts = 2_000;

/** Choices of properties, with their account. */
export async function propertiesOf(context: MethodContext): Promise<{ name: string; value: string; url: string }[]> {
  const pages = cursorPaging('accountSummaries', 'nextPageToken', 'pageToken');
  const records = await sendAll(analyticsClient, context, { path: accounts, query: { pageSize: 200 } }, pages, maxAccounts);
  return records.flatMap(({ displayName: account = '', propertySummaries }) =>
    objectsOf(propertySummaries).map(({ property, displayName = '' }) => {
      const value = textOf(property).replace(/^properties\//, '');
      return { name: `${displayName} (${account})`, value, url: `https://analytics.google.com/analytics/web/#/p${value}/` };
    }),
  );
}

/** Choices of `metrics` or `dimensions` of the chosen property. */
export async function columnsOf(
  context: MethodContext,
  kind: 'metrics' | 'dimensions',
): Promise<{ name: string; value: string }[]> {
  const id = chosenId(context, 'propertyId', propertyUrl);
  if (id === '') return [];
  const response = objectOf(await analyticsClient.send(context, { path: `${propertyPath(id)}/metadata` }));
  return objectsOf(response[kind]).map(({ apiName = '', uiName = '' }) => ({ name: asText(uiName), value: asText(apiName) }));
}
