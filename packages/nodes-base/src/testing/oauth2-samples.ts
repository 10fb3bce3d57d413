import type { JsonObject } from '@sluice/node-sdk';

/** An OAuth 2 credential type, with the flow that its service documents. */
interface OAuth2Sample {
  type: string;
  authorize: string;
  token: string;
  /** Where the token request contains the client's ID and secret. */
  client: 'header' | 'body';
  /** Parameters of the authorization URL other than the grant's and `scope`. */
  query?: Record<string, string>;
  pkce?: true;
  data?: JsonObject;
  /** Method and URL of the test; absent if only the token's expiry is checked. */
  expectedRequest?: string;
  /** Header with the token `s-t`. */
  header?: [name: string, value: string];
}

const google = (type: string): OAuth2Sample => ({
  type,
  authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
  token: 'https://oauth2.googleapis.com/token',
  client: 'body',
  query: { access_type: 'offline', prompt: 'consent' },
  expectedRequest: 'POST https://oauth2.googleapis.com/tokeninfo',
});

const microsoft = (type: string, data: JsonObject = {}): OAuth2Sample => ({
  type,
  data,
  authorize: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
  token: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
  client: 'body',
  query: { response_mode: 'query' },
});

/** `authorize` and `token` are paths at the origin. */
const at = (
  type: string,
  origin: string,
  [authorize, token]: readonly [string, string],
  client: 'header' | 'body',
  more: Partial<OAuth2Sample> = {},
): OAuth2Sample => ({ type, authorize: new URL(authorize, origin).href, token: new URL(token, origin).href, client, ...more });

/** One sample for each OAuth 2 credential type in `credentials/services`. */
export const oAuth2Samples: readonly OAuth2Sample[] = [
  { ...google('googleOAuth2Api'), data: { scope: 'https://www.googleapis.com/auth/books' } },
  ...[
    'googleSheetsOAuth2Api',
    'googleSheetsTriggerOAuth2Api',
    'gmailOAuth2',
    'googleDriveOAuth2Api',
    'googleCalendarOAuth2Api',
    'googleDocsOAuth2Api',
    'googleSlidesOAuth2Api',
    'googleTasksOAuth2Api',
    'googleContactsOAuth2Api',
    'googleAnalyticsOAuth2',
    'googleTranslateOAuth2Api',
    'googleBigQueryOAuth2Api',
    'googleCloudStorageOAuth2Api',
    'googleFirebaseCloudFirestoreOAuth2Api',
    'googleFirebaseRealtimeDatabaseOAuth2Api',
    'googleCloudNaturalLanguageOAuth2Api',
    'googleBusinessProfileOAuth2Api',
    'googleBooksOAuth2Api',
    'googleChatOAuth2Api',
    'gSuiteAdminOAuth2Api',
    'youTubeOAuth2Api',
  ].map(google),
  microsoft('microsoftOAuth2Api', { scope: 'offline_access User.Read' }),
  ...[
    'microsoftExcelOAuth2Api',
    'microsoftOneDriveOAuth2Api',
    'microsoftToDoOAuth2Api',
    'microsoftTeamsOAuth2Api',
    'microsoftEntraOAuth2Api',
    'microsoftGraphSecurityOAuth2Api',
  ].map((type) => microsoft(type)),
  microsoft('microsoftOutlookOAuth2Api', { useShared: true, userPrincipalName: 'a@b.example' }),
  microsoft('microsoftSharePointOAuth2Api', { subdomain: 'acme' }),
  microsoft('microsoftDynamicsOAuth2Api', { subdomain: 'acme' }),
  at('airtableOAuth2Api', 'https://airtable.com', ['/oauth2/v1/authorize', '/oauth2/v1/token'], 'header', {
    pkce: true,
    expectedRequest: 'GET https://api.airtable.com/v0/meta/whoami',
  }),
  at('asanaOAuth2Api', 'https://app.asana.com', ['/-/oauth_authorize', '/-/oauth_token'], 'body', {
    expectedRequest: 'GET https://app.asana.com/api/1.0/users/me',
  }),
  at('calendlyOAuth2Api', 'https://auth.calendly.com', ['/oauth/authorize', '/oauth/token'], 'header', {
    data: { signingKey: 's-sign' },
    expectedRequest: 'GET https://api.calendly.com/users/me',
  }),
  at('clickUpOAuth2Api', 'https://app.clickup.com', ['/api', 'https://api.clickup.com/api/v2/oauth/token'], 'body', {
    expectedRequest: 'GET https://api.clickup.com/api/v2/user',
  }),
  at('discordOAuth2Api', 'https://discord.com', ['/oauth2/authorize', '/api/oauth2/token'], 'header', {
    data: { botToken: 's-bot' },
    header: ['authorization', 'Bot s-bot'],
    expectedRequest: 'GET https://discord.com/api/v10/users/@me',
  }),
  at(
    'dropboxOAuth2Api',
    'https://www.dropbox.com',
    ['/oauth2/authorize', 'https://api.dropboxapi.com/oauth2/token'],
    'header',
    {
      query: { token_access_type: 'offline' },
      expectedRequest: 'POST https://api.dropboxapi.com/2/users/get_current_account',
    },
  ),
  at(
    'highLevelOAuth2Api',
    'https://marketplace.leadconnectorhq.com',
    ['/oauth/chooselocation', 'https://services.leadconnectorhq.com/oauth/token'],
    'body',
  ),
  at('hubspotOAuth2Api', 'https://app.hubspot.com', ['/oauth/authorize', 'https://api.hubapi.com/oauth/v1/token'], 'body', {
    expectedRequest: 'GET https://api.hubapi.com/account-info/v3/details',
  }),
  at('hubspotDeveloperApi', 'https://app.hubspot.com', ['/oauth/authorize', 'https://api.hubapi.com/oauth/v1/token'], 'body', {
    data: { apiKey: 's-key', appId: '7' },
  }),
  at('linearOAuth2Api', 'https://linear.app', ['/oauth/authorize', 'https://api.linear.app/oauth/token'], 'body', {
    query: { actor: 'user' },
  }),
  at('linkedInOAuth2Api', 'https://www.linkedin.com', ['/oauth/v2/authorization', '/oauth/v2/accessToken'], 'body'),
  at(
    'linkedInCommunityManagementOAuth2Api',
    'https://www.linkedin.com',
    ['/oauth/v2/authorization', '/oauth/v2/accessToken'],
    'body',
  ),
  at('mailchimpOAuth2Api', 'https://login.mailchimp.com', ['/oauth2/authorize', '/oauth2/token'], 'body', {
    expectedRequest: 'GET https://login.mailchimp.com/oauth2/metadata',
  }),
  at('mondayComOAuth2Api', 'https://auth.monday.com', ['/oauth2/authorize', '/oauth2/token'], 'body'),
  at('notionOAuth2Api', 'https://api.notion.com', ['/v1/oauth/authorize', '/v1/oauth/token'], 'header', {
    query: { owner: 'user' },
    expectedRequest: 'GET https://api.notion.com/v1/users/me',
  }),
  at('pipedriveOAuth2Api', 'https://oauth.pipedrive.com', ['/oauth/authorize', '/oauth/token'], 'header', {
    expectedRequest: 'GET https://api.pipedrive.com/v1/users/me',
  }),
  at(
    'quickBooksOAuth2Api',
    'https://appcenter.intuit.com',
    ['/connect/oauth2', 'https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer'],
    'header',
  ),
  at('boxOAuth2Api', 'https://account.box.com', ['/api/oauth2/authorize', 'https://api.box.com/oauth2/token'], 'body', {
    expectedRequest: 'GET https://api.box.com/2.0/users/me',
  }),
  at('raindropOAuth2Api', 'https://raindrop.io', ['/oauth/authorize', '/oauth/access_token'], 'body', {
    expectedRequest: 'GET https://api.raindrop.io/rest/v1/user',
  }),
  at('redditOAuth2Api', 'https://www.reddit.com', ['/api/v1/authorize', '/api/v1/access_token'], 'header', {
    query: { duration: 'permanent' },
    expectedRequest: 'GET https://oauth.reddit.com/api/v1/me',
  }),
  at('slackOAuth2Api', 'https://slack.com', ['/oauth/v2/authorize', '/api/oauth.v2.access'], 'body', {
    data: { signatureSecret: 's-sign', customScopes: true, enabledScopes: 'chat:write' },
    query: { user_scope: 'chat:write' },
    expectedRequest: 'POST https://slack.com/api/auth.test',
  }),
  at('spotifyOAuth2Api', 'https://accounts.spotify.com', ['/authorize', '/api/token'], 'header', {
    expectedRequest: 'GET https://api.spotify.com/v1/me',
  }),
  at('todoistOAuth2Api', 'https://todoist.com', ['/oauth/authorize', '/oauth/access_token'], 'body', {
    expectedRequest: 'GET https://api.todoist.com/api/v1/user',
  }),
  at('twitterOAuth2Api', 'https://x.com', ['/i/oauth2/authorize', 'https://api.x.com/2/oauth2/token'], 'header', {
    pkce: true,
    expectedRequest: 'GET https://api.x.com/2/users/me',
  }),
  at('typeformOAuth2Api', 'https://api.typeform.com', ['/oauth/authorize', '/oauth/token'], 'body', {
    expectedRequest: 'GET https://api.typeform.com/me',
  }),
  at('webflowOAuth2Api', 'https://webflow.com', ['/oauth/authorize', 'https://api.webflow.com/oauth/access_token'], 'body', {
    expectedRequest: 'GET https://api.webflow.com/v2/sites',
  }),
  at('zoomOAuth2Api', 'https://zoom.us', ['/oauth/authorize', '/oauth/token'], 'header', {
    expectedRequest: 'GET https://api.zoom.us/v2/users/me',
  }),
  at('githubOAuth2Api', 'https://github.com', ['/login/oauth/authorize', '/login/oauth/access_token'], 'body', {
    expectedRequest: 'GET https://api.github.com/user',
  }),
  at('gitlabOAuth2Api', 'https://git.example', ['/oauth/authorize', '/oauth/token'], 'body', {
    data: { server: 'https://git.example/' },
    expectedRequest: 'GET https://git.example/api/v4/user',
  }),
  at('salesforceOAuth2Api', 'https://test.salesforce.com', ['/services/oauth2/authorize', '/services/oauth2/token'], 'body', {
    pkce: true,
    data: { environment: 'sandbox' },
    expectedRequest: 'GET https://test.salesforce.com/services/oauth2/userinfo',
  }),
  at('serviceNowOAuth2Api', 'https://dev1.service-now.com', ['/oauth_auth.do', '/oauth_token.do'], 'header', {
    data: { subdomain: 'dev1' },
    expectedRequest: 'GET https://dev1.service-now.com/api/now/table/sys_user?sysparm_limit=1',
  }),
  at('shopifyOAuth2Api', 'https://acme.myshopify.com', ['/admin/oauth/authorize', '/admin/oauth/access_token'], 'body', {
    data: { shopSubdomain: 'acme' },
    expectedRequest: 'GET https://acme.myshopify.com/admin/api/2025-10/shop.json',
    header: ['x-shopify-access-token', 's-t'],
  }),
  at('zendeskOAuth2Api', 'https://acme.zendesk.com', ['/oauth/authorizations/new', '/oauth/tokens'], 'body', {
    data: { subdomain: 'acme' },
    expectedRequest: 'GET https://acme.zendesk.com/api/v2/users/me.json',
  }),
  at('zohoOAuth2Api', 'https://accounts.zoho.eu', ['/oauth/v2/auth', '/oauth/v2/token'], 'body', {
    data: { authUrl: 'https://accounts.zoho.eu/oauth/v2/auth', accessTokenUrl: 'https://accounts.zoho.eu/oauth/v2/token' },
    query: { access_type: 'offline', prompt: 'consent' },
    header: ['authorization', 'Zoho-oauthtoken s-t'],
  }),
  at('nextCloudOAuth2Api', 'https://cloud.example', ['/apps/oauth2/authorize', '/apps/oauth2/api/v1/token'], 'body', {
    data: {
      webDavUrl: 'https://cloud.example/remote.php/webdav',
      authUrl: 'https://cloud.example/apps/oauth2/authorize',
      accessTokenUrl: 'https://cloud.example/apps/oauth2/api/v1/token',
    },
    expectedRequest: 'PROPFIND https://cloud.example/remote.php/webdav/',
  }),
];

/** Data of a connected credential. */
export function connectedData({ data = {} }: OAuth2Sample, token: JsonObject = { access_token: 's-t' }): JsonObject {
  return { ...data, clientId: 'id', clientSecret: 's-c', oauthTokenData: token };
}
