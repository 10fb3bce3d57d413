import type { CredentialType, JsonObject } from '@sluice/node-sdk';
import { googleHosts } from '../shared/hosts-of-service.ts';
import { text } from '../shared/properties.ts';
import { requiredAccessToken } from '../shared/token-endpoint.ts';
import { oAuth2Service } from './oauth2-service.ts';

const api = 'https://www.googleapis.com/auth/';

const google = {
  documentation: 'https://developers.google.com/identity/protocols/oauth2/web-server',
  authUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  revocation: { url: 'https://oauth2.googleapis.com/revoke', sharedGrant: 'google' },
  // From the second consent on, Google issues a refresh token only with both parameters.
  authQuery: 'access_type=offline&prompt=consent',
  client: 'body',
  hosts: googleHosts,
  /** Valid for a token of any scope. */
  test: (data: JsonObject) => ({
    method: 'POST',
    url: 'https://oauth2.googleapis.com/tokeninfo',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ access_token: requiredAccessToken(data) }).toString(),
  }),
} as const;

/**
 * Names, titles, and scopes (below `https://www.googleapis.com/auth/`) of the types that differ
 * only in these.
 */
const table: readonly (readonly [name: string, displayName: string, scopes: readonly string[]])[] = [
  ['googleSheetsOAuth2Api', 'Google Sheets', ['drive.file', 'spreadsheets', 'drive.metadata']],
  [
    'googleSheetsTriggerOAuth2Api',
    'Google Sheets (Trigger)',
    ['drive.readonly', 'spreadsheets.readonly', 'drive.metadata.readonly'],
  ],
  ['gmailOAuth2', 'Gmail', ['https://mail.google.com/', 'gmail.labels', 'gmail.modify', 'gmail.compose']],
  ['googleDriveOAuth2Api', 'Google Drive', ['drive', 'drive.appdata']],
  ['googleCalendarOAuth2Api', 'Google Calendar', ['calendar', 'calendar.events']],
  ['googleDocsOAuth2Api', 'Google Docs', ['documents', 'drive', 'drive.file']],
  ['googleSlidesOAuth2Api', 'Google Slides', ['drive.file', 'presentations']],
  ['googleTasksOAuth2Api', 'Google Tasks', ['tasks']],
  ['googleContactsOAuth2Api', 'Google Contacts', ['contacts']],
  ['googleAnalyticsOAuth2', 'Google Analytics', ['analytics', 'analytics.readonly']],
  ['googleTranslateOAuth2Api', 'Google Translate', ['cloud-translation']],
  ['googleBigQueryOAuth2Api', 'Google BigQuery', ['bigquery', 'cloud-platform', 'drive']],
  ['googleCloudStorageOAuth2Api', 'Google Cloud Storage', ['cloud-platform', 'devstorage.full_control']],
  ['googleFirebaseCloudFirestoreOAuth2Api', 'Google Firestore', ['datastore', 'firebase']],
  ['googleFirebaseRealtimeDatabaseOAuth2Api', 'Google Realtime Database', ['userinfo.email', 'firebase.database', 'firebase']],
  ['googleCloudNaturalLanguageOAuth2Api', 'Google Cloud Natural Language', ['cloud-language', 'cloud-platform']],
  ['googleBusinessProfileOAuth2Api', 'Google Business Profile', ['business.manage']],
  ['googleBooksOAuth2Api', 'Google Books', ['books']],
  ['googleChatOAuth2Api', 'Google Chat', ['chat.spaces', 'chat.messages', 'chat.memberships']],
  [
    'gSuiteAdminOAuth2Api',
    'Google Workspace Admin',
    ['admin.directory.group', 'admin.directory.user', 'admin.directory.domain.readonly', 'admin.directory.userschema.readonly'],
  ],
  [
    'youTubeOAuth2Api',
    'YouTube',
    ['youtube', 'youtubepartner', 'youtube.force-ssl', 'youtube.upload', 'youtubepartner-channel-audit'],
  ],
];

/** Google credential types for users; service accounts use `googleApi`. */
export const googleTypes: readonly CredentialType[] = [
  oAuth2Service({
    ...google,
    name: 'googleOAuth2Api',
    displayName: 'Google',
    fields: [text('scope', 'Scope', { keepsSecrets: true, description: 'Scopes, separated by spaces' })],
  }),
  ...table.map(([name, displayName, scopes]) =>
    oAuth2Service({ ...google, name, displayName, scope: scopes.map((scope) => new URL(scope, api).href).join(' ') }),
  ),
];
