import { googleClient } from '../../shared/google-client.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

export const firstVersion = [1];
export const newVersion = [2];

/** https://developers.google.com/workspace/docs/api/reference/rest */
export const docsClient = googleClient('Google Docs', 'https://docs.googleapis.com/v1', 'googleDocsOAuth2Api', firstVersion);

/** An item's document, by its ID or its URL. */
export function documentOf(item: ServiceItem): string {
  const text = item.id('documentURL').trim();
  return /\/document\/(?:u\/\d+\/)?d\/([\w-]+)/.exec(text.slice(0, 2_000))?.[1] ?? text;
}

export const documentPath = (id: string, action = ''): string => `/documents/${encodeURIComponent(id)}${action}`;
