import {
  type AuthenticateRequest,
  type CredentialType,
  credentialText,
  isJsonObject,
  optionalCredentialText,
} from '@sluice/node-sdk';
import { choice, oauthTokenData, secret, text } from '../shared/properties.ts';
import { textIn } from '../shared/service-test.ts';
import { signOAuth1 } from '../shared/sign-oauth1.ts';
import { storedToken } from '../shared/token-endpoint.ts';
import { addressIn, bearer, serviceType } from './service-type.ts';

const apiKey = secret('apiKey', 'API Key', { required: true });
const accessToken = secret('accessToken', 'Access Token', { required: true });

const cal = addressIn('host', 'https://api.cal.com');
const graph = ['graph.facebook.com', 'graph-video.facebook.com', 'graph.instagram.com'];

/** GraphQL reports errors with a 200. */
const graphQlRefusal = (body: unknown): string | undefined => {
  const errors = isJsonObject(body) ? body['errors'] : undefined;
  return Array.isArray(errors) ? (textIn(errors[0], 'message') ?? 'the service refused the credential') : undefined;
};

const signForX: AuthenticateRequest = (request, data, ports, signal) => {
  const [token, tokenSecret] = ['accessToken', 'accessTokenSecret'].map((field) => optionalCredentialText(data, field));
  const oauthTokenData = token ? { oauth_token: token, oauth_token_secret: tokenSecret ?? '' } : storedToken(data);
  return signOAuth1(request, { ...data, signatureMethod: 'HMAC-SHA1', oauthTokenData }, ports, signal);
};

const graphQl = (url: string, query: string) => () => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ query }),
});

/** Services at a fixed address whose requests include a token or a key. */
export const tokenTypes: readonly CredentialType[] = [
  serviceType({
    name: 'airtableApi',
    displayName: 'Airtable API Key',
    documentation: 'https://support.airtable.com/docs/airtable-api-key-deprecation-notice',
    properties: [apiKey],
    authenticate: bearer('apiKey'),
    hosts: ['api.airtable.com', 'content.airtable.com'],
    test: 'https://api.airtable.com/v0/meta/whoami',
  }),
  serviceType({
    name: 'airtopApi',
    displayName: 'Airtop',
    documentation: 'https://docs.airtop.ai/api-reference/airtop-api',
    properties: [apiKey],
    authenticate: bearer('apiKey'),
    hosts: ['api.airtop.ai'],
    test: 'https://api.airtop.ai/api/v1/sessions?limit=1',
  }),
  serviceType({
    name: 'asanaApi',
    displayName: 'Asana',
    documentation: 'https://developers.asana.com/docs/personal-access-token',
    properties: [accessToken],
    authenticate: bearer('accessToken'),
    hosts: ['app.asana.com'],
    test: 'https://app.asana.com/api/1.0/users/me',
  }),
  serviceType({
    name: 'calApi',
    displayName: 'Cal',
    documentation: 'https://cal.com/docs/api-reference/v2/introduction',
    properties: [apiKey, text('host', 'Host', { initial: 'https://api.cal.com' })],
    authenticate: bearer('apiKey'),
    hosts: cal.hosts,
    test: cal.at('/v2/me'),
  }),
  serviceType({
    name: 'calendlyApi',
    displayName: 'Calendly',
    documentation: 'https://developer.calendly.com/how-to-authenticate-with-personal-access-tokens',
    properties: [secret('apiKey', 'API Key or Personal Access Token', { required: true })],
    authenticate: bearer('apiKey'),
    hosts: ['api.calendly.com'],
    test: 'https://api.calendly.com/users/me',
  }),
  serviceType({
    name: 'clearbitApi',
    displayName: 'Clearbit',
    documentation: 'https://dashboard.clearbit.com/docs',
    properties: [apiKey],
    authenticate: bearer('apiKey'),
    hosts: ['*.clearbit.com'],
    test: 'https://company.clearbit.com/v1/domains/find?name=Example',
  }),
  serviceType({
    name: 'clickUpApi',
    displayName: 'ClickUp',
    documentation: 'https://developer.clickup.com/docs/authentication',
    properties: [accessToken],
    authenticate: { headers: { Authorization: '{accessToken}' } },
    hosts: ['api.clickup.com'],
    test: 'https://api.clickup.com/api/v2/user',
  }),
  serviceType({
    name: 'clockifyApi',
    displayName: 'Clockify',
    documentation: 'https://docs.clockify.me/',
    properties: [apiKey],
    authenticate: { headers: { 'X-Api-Key': '{apiKey}' } },
    hosts: ['*.clockify.me'],
    test: 'https://api.clockify.me/api/v1/user',
  }),
  serviceType({
    name: 'cloudflareApi',
    displayName: 'Cloudflare',
    documentation: 'https://developers.cloudflare.com/fundamentals/api/',
    properties: [secret('apiToken', 'API Token', { required: true })],
    authenticate: bearer('apiToken'),
    hosts: ['api.cloudflare.com'],
    test: 'https://api.cloudflare.com/client/v4/user/tokens/verify',
  }),
  serviceType({
    name: 'discordBotApi',
    displayName: 'Discord Bot',
    documentation: 'https://discord.com/developers/docs/reference#authentication',
    properties: [secret('botToken', 'Bot Token', { required: true })],
    authenticate: { headers: { Authorization: 'Bot {botToken}' } },
    hosts: ['discord.com'],
    test: 'https://discord.com/api/v10/users/@me',
  }),
  serviceType({
    name: 'dropboxApi',
    displayName: 'Dropbox',
    documentation: 'https://www.dropbox.com/developers/documentation/http/documentation',
    properties: [
      accessToken,
      choice(
        'accessType',
        'App Access Type',
        [
          ['full', 'Full Dropbox'],
          ['folder', 'App Folder'],
        ],
        { keepsSecrets: true },
      ),
    ],
    authenticate: bearer('accessToken'),
    hosts: ['api.dropboxapi.com', 'content.dropboxapi.com', 'notify.dropboxapi.com'],
    test: () => ({ method: 'POST', url: 'https://api.dropboxapi.com/2/users/get_current_account' }),
  }),
  serviceType({
    name: 'facebookGraphApi',
    displayName: 'Facebook Graph',
    documentation: 'https://developers.facebook.com/docs/graph-api/overview',
    properties: [accessToken],
    authenticate: { query: { access_token: '{accessToken}' } },
    hosts: graph,
    test: 'https://graph.facebook.com/me',
  }),
  serviceType({
    name: 'facebookGraphAppApi',
    displayName: 'Facebook Graph (App)',
    documentation: 'https://developers.facebook.com/docs/graph-api/webhooks',
    properties: [
      accessToken,
      secret('appSecret', 'App Secret', { description: 'Verifies that requests come from Facebook; for triggers' }),
    ],
    authenticate: { query: { access_token: '{accessToken}' } },
    hosts: graph,
    test: 'https://graph.facebook.com/me',
  }),
  serviceType({
    name: 'hubspotAppToken',
    displayName: 'HubSpot App Token',
    documentation: 'https://developers.hubspot.com/docs/apps/legacy-apps/authentication/intro-to-auth',
    properties: [secret('appToken', 'App Token', { required: true })],
    authenticate: bearer('appToken'),
    hosts: ['api.hubapi.com'],
    test: 'https://api.hubapi.com/account-info/v3/details',
  }),
  serviceType({
    name: 'hubspotApi',
    displayName: 'HubSpot API Key',
    documentation: 'https://developers.hubspot.com/changelog/upcoming-api-key-sunset',
    properties: [apiKey],
    authenticate: { query: { hapikey: '{apiKey}' } },
    hosts: ['api.hubapi.com'],
    test: 'https://api.hubapi.com/account-info/v3/details',
  }),
  serviceType({
    name: 'hunterApi',
    displayName: 'Hunter',
    documentation: 'https://hunter.io/api-documentation/v2',
    properties: [apiKey],
    authenticate: { headers: { 'X-API-KEY': '{apiKey}' } },
    hosts: ['api.hunter.io'],
    test: 'https://api.hunter.io/v2/account',
  }),
  serviceType({
    name: 'linearApi',
    displayName: 'Linear',
    documentation: 'https://linear.app/developers/graphql',
    properties: [apiKey],
    authenticate: { headers: { Authorization: '{apiKey}' } },
    hosts: ['api.linear.app'],
    test: graphQl('https://api.linear.app/graphql', 'query { viewer { id } }'),
    refusal: graphQlRefusal,
  }),
  serviceType({
    name: 'mondayComApi',
    displayName: 'monday.com',
    documentation: 'https://developer.monday.com/api-reference/docs/authentication',
    properties: [secret('apiToken', 'Token V2', { required: true })],
    authenticate: { headers: { Authorization: '{apiToken}' } },
    hosts: ['api.monday.com'],
    test: graphQl('https://api.monday.com/v2', 'query { me { id } }'),
    refusal: graphQlRefusal,
  }),
  serviceType({
    name: 'openWeatherMapApi',
    displayName: 'OpenWeatherMap',
    documentation: 'https://openweathermap.org/appid',
    properties: [accessToken],
    authenticate: { query: { appid: '{accessToken}' } },
    hosts: ['api.openweathermap.org'],
    test: 'https://api.openweathermap.org/data/2.5/weather?lat=0&lon=0',
  }),
  serviceType({
    name: 'apiTemplateIoApi',
    displayName: 'APITemplate.io',
    documentation: 'https://apitemplate.io/apiv2/',
    properties: [apiKey],
    authenticate: { headers: { 'X-API-KEY': '{apiKey}' } },
    hosts: ['rest.apitemplate.io'],
    test: 'https://rest.apitemplate.io/v2/account-information',
  }),
  serviceType({
    name: 'sendInBlueApi',
    displayName: 'Brevo',
    documentation: 'https://developers.brevo.com/docs/api-clients',
    properties: [apiKey],
    authenticate: { headers: { 'api-key': '{apiKey}' } },
    hosts: ['api.brevo.com'],
    test: 'https://api.brevo.com/v3/account',
  }),
  serviceType({
    name: 'phantombusterApi',
    displayName: 'Phantombuster',
    documentation: 'https://hub.phantombuster.com/docs/api',
    properties: [apiKey],
    authenticate: { headers: { 'X-Phantombuster-Key': '{apiKey}' } },
    hosts: ['api.phantombuster.com'],
    test: 'https://api.phantombuster.com/api/v2/orgs/fetch',
  }),
  serviceType({
    name: 'pipedriveApi',
    displayName: 'Pipedrive',
    documentation: 'https://pipedrive.readme.io/docs/core-api-concepts-authentication',
    properties: [secret('apiToken', 'API Token', { required: true })],
    authenticate: { headers: { 'x-api-token': '{apiToken}' } },
    hosts: ['api.pipedrive.com', '*.pipedrive.com'],
    test: 'https://api.pipedrive.com/v1/users/me',
  }),
  serviceType({
    name: 'sendGridApi',
    displayName: 'SendGrid',
    documentation: 'https://www.twilio.com/docs/sendgrid/for-developers/sending-email/authentication',
    properties: [apiKey],
    authenticate: bearer('apiKey'),
    hosts: ['api.sendgrid.com', 'api.eu.sendgrid.com'],
    test: 'https://api.sendgrid.com/v3/scopes',
  }),
  serviceType({
    name: 'stripeApi',
    displayName: 'Stripe',
    documentation: 'https://docs.stripe.com/keys',
    properties: [
      secret('secretKey', 'Secret Key', { required: true }),
      secret('signatureSecret', 'Signature Secret', { description: 'Verifies that requests come from Stripe; for triggers' }),
    ],
    authenticate: bearer('secretKey'),
    hosts: ['api.stripe.com', 'files.stripe.com'],
    test: 'https://api.stripe.com/v1/balance',
  }),
  serviceType({
    name: 'todoistApi',
    displayName: 'Todoist',
    documentation: 'https://developer.todoist.com/api/v1/#authorization',
    properties: [apiKey],
    authenticate: bearer('apiKey'),
    hosts: ['api.todoist.com'],
    test: 'https://api.todoist.com/api/v1/user',
  }),
  serviceType({
    name: 'trelloApi',
    displayName: 'Trello',
    documentation: 'https://developer.atlassian.com/cloud/trello/guides/rest-api/authorization/',
    properties: [
      secret('apiKey', 'API Key', { required: true }),
      secret('apiToken', 'API Token', { required: true }),
      secret('oauthSecret', 'OAuth Secret', { description: 'Verifies that requests come from Trello; for triggers' }),
    ],
    authenticate: { headers: { Authorization: 'OAuth oauth_consumer_key="{apiKey}", oauth_token="{apiToken}"' } },
    hosts: ['api.trello.com', 'trello.com'],
    test: 'https://api.trello.com/1/members/me?fields=id',
  }),
  serviceType({
    name: 'twitterOAuth1Api',
    displayName: 'X OAuth1',
    documentation: 'https://docs.x.com/fundamentals/authentication/oauth-1-0a/api-key-and-secret',
    properties: [
      text('consumerKey', 'API Key', { required: true, keepsSecrets: true }),
      secret('consumerSecret', 'API Key Secret', { required: true }),
      secret('accessToken', 'Access Token', {
        description: 'From the developer portal; not for imported credentials with a token',
      }),
      secret('accessTokenSecret', 'Access Token Secret'),
      oauthTokenData,
    ],
    authenticate: signForX,
    hosts: ['api.x.com', 'api.twitter.com', 'upload.twitter.com'],
    test: 'https://api.x.com/2/users/me',
  }),
  serviceType({
    name: 'typeformApi',
    displayName: 'Typeform',
    documentation: 'https://www.typeform.com/developers/get-started/personal-access-token/',
    properties: [accessToken],
    authenticate: bearer('accessToken'),
    hosts: ['api.typeform.com', 'api.eu.typeform.com'],
    test: 'https://api.typeform.com/me',
  }),
  serviceType({
    name: 'uprocApi',
    displayName: 'uProc',
    documentation: 'https://app.uproc.io/#/settings/integration',
    properties: [text('email', 'Email', { required: true, keepsSecrets: true }), apiKey],
    authenticate: { basic: { user: '{email}', password: '{apiKey}' } },
    hosts: ['api.uproc.io'],
    test: 'https://api.uproc.io/api/v2/profile',
  }),
  serviceType({
    name: 'whatsAppApi',
    displayName: 'WhatsApp',
    documentation: 'https://developers.facebook.com/docs/whatsapp/business-management-api/get-started',
    properties: [accessToken, text('businessAccountId', 'Business Account ID', { required: true, keepsSecrets: true })],
    authenticate: bearer('accessToken'),
    hosts: ['graph.facebook.com', 'lookaside.fbsbx.com'],
    test: (data) => `https://graph.facebook.com/v23.0/${encodeURIComponent(credentialText(data, 'businessAccountId'))}`,
  }),
  serviceType({
    name: 'whatsAppTriggerApi',
    displayName: 'WhatsApp (Trigger)',
    documentation: 'https://developers.facebook.com/docs/facebook-login/guides/access-tokens/#apptokens',
    properties: [
      text('clientId', 'Client ID', { required: true, keepsSecrets: true }),
      secret('clientSecret', 'Client Secret', { required: true }),
    ],
    // An app token is its ID and its secret.
    authenticate: { headers: { Authorization: 'Bearer {clientId}|{clientSecret}' } },
    hosts: ['graph.facebook.com'],
    test: 'https://graph.facebook.com/v23.0/app',
  }),
];
