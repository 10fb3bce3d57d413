import {
  type AuthenticateRequest,
  basicAuthorization,
  type CredentialType,
  credentialText,
  isJsonObject,
  type JsonObject,
  optionalCredentialText,
  ownProperty,
  type PreAuthentication,
  withHeaders,
  withQuery,
} from '@sluice/node-sdk';
import { stringOf } from '../../shared/coerced-text.ts';
import { hostOfAddress } from '../shared/hosts-of-service.ts';
import { allowUnauthorizedCerts, choice, flag, secret, text, wholeNumber } from '../shared/properties.ts';
import { isSuccess, parsed } from '../shared/service-test.ts';
import { tokenRefused } from '../shared/token-endpoint.ts';
import { addressIn, bearer, serviceType, subdomainIn } from './service-type.ts';

const apiKey = secret('apiKey', 'API Key', { required: true });
const user = (name: string, displayName: string) => text(name, displayName, { required: true, keepsSecrets: true });

const baserow = addressIn('host', 'https://api.baserow.io');
const freshdesk = subdomainIn('domain', 'freshdesk.com');
const gitlab = addressIn('server', 'https://gitlab.com');
const jira = addressIn('domain');
const mattermost = addressIn('baseUrl');
const n8n = addressIn('baseUrl');
const nextCloud = addressIn('webDavUrl');
const nocoDb = addressIn('host');
const odoo = addressIn('url');
const serviceNow = subdomainIn('subdomain', 'service-now.com');
const shop = subdomainIn('shopSubdomain', 'myshopify.com');
const wooCommerce = addressIn('url');
const wordpress = addressIn('url');
const zendesk = subdomainIn('subdomain', 'zendesk.com');

/** The last part of a Mailchimp key is the data center. */
const mailchimpHost = (data: JsonObject) => {
  const center = optionalCredentialText(data, 'apiKey').trim().split('-').at(-1) ?? '';
  return /^[a-z]+\d+$/.test(center) ? `${center}.api.mailchimp.com` : undefined;
};

/** Exchanges the password for a token that Baserow accepts for ten minutes. */
const baserowSession: PreAuthentication = {
  validForMs: 9 * 60_000,
  async obtain(data, { http }, signal) {
    const body = { email: credentialText(data, 'username'), password: credentialText(data, 'password') };
    const response = await http.request(
      {
        method: 'POST',
        url: baserow.at('/api/user/token-auth/')(data),
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        timeoutMs: 30_000,
        maxResponseBytes: 256 * 1024,
      },
      signal,
    );
    const answer = parsed(response);
    const token = isJsonObject(answer) ? answer['access_token'] : undefined;
    if (isSuccess(response) && typeof token === 'string') return { sessionToken: token };
    const { status } = response;
    const problem = status === 400 || status === 401 ? 'refused the user name or password' : 'returned no token';
    throw tokenRefused(`Baserow ${problem} (${status})`, status);
  },
};

/** Home Assistant runs in a home, usually without TLS. */
const homeAssistantUrl = (data: JsonObject) => {
  const scheme = ownProperty(data, 'ssl') === true ? 'https' : 'http';
  return `${scheme}://${optionalCredentialText(data, 'host').trim()}:${stringOf(ownProperty(data, 'port') ?? 8123)}`;
};

const authenticateTwilio: AuthenticateRequest = (request, data) => {
  const byKey = optionalCredentialText(data, 'authType') === 'apiKey';
  const [name, secretName] = byKey ? (['apiKeySid', 'apiKeySecret'] as const) : (['accountSid', 'authToken'] as const);
  return withHeaders(request, [
    ['authorization', basicAuthorization(credentialText(data, name), credentialText(data, secretName))],
  ]);
};

const authenticateWooCommerce: AuthenticateRequest = (request, data) => {
  const [key, keySecret] = [credentialText(data, 'consumerKey'), credentialText(data, 'consumerSecret')];
  if (ownProperty(data, 'includeCredentialsInQuery') !== true)
    return withHeaders(request, [['authorization', basicAuthorization(key, keySecret)]]);
  return withQuery(request, [
    ['consumer_key', key],
    ['consumer_secret', keySecret],
  ]);
};

/** Services at a customer's address: a URL or a subdomain in the credential. */
export const siteTypes: readonly CredentialType[] = [
  serviceType({
    name: 'baserowApi',
    displayName: 'Baserow (User)',
    documentation: 'https://baserow.io/docs/apis/rest-api',
    properties: [
      text('host', 'Host', { initial: 'https://api.baserow.io' }),
      user('username', 'Username'),
      secret('password', 'Password', { required: true }),
      { displayName: 'Session Token', name: 'sessionToken', type: 'hidden', default: '', typeOptions: { expirable: true } },
    ],
    preAuthentication: baserowSession,
    authenticate: { headers: { Authorization: 'JWT {sessionToken}' } },
    hosts: baserow.hosts,
    test: baserow.at('/api/applications/'),
  }),
  serviceType({
    name: 'baserowTokenApi',
    displayName: 'Baserow (Token)',
    documentation: 'https://baserow.io/user-docs/personal-api-tokens',
    properties: [
      text('host', 'Host', { initial: 'https://api.baserow.io' }),
      secret('token', 'Database Token', { required: true }),
    ],
    authenticate: { headers: { Authorization: 'Token {token}' } },
    hosts: baserow.hosts,
    test: baserow.at('/api/database/tokens/check/'),
  }),
  serviceType({
    name: 'freshdeskApi',
    displayName: 'Freshdesk',
    documentation: 'https://developers.freshdesk.com/api/#authentication',
    properties: [text('domain', 'Domain', { required: true, description: 'The part before `.freshdesk.com`' }), apiKey],
    authenticate: { basic: { user: '{apiKey}', password: 'X' } },
    ...freshdesk.rules,
    test: freshdesk.at('/api/v2/agents/me'),
  }),
  serviceType({
    name: 'gitlabApi',
    displayName: 'GitLab',
    documentation: 'https://docs.gitlab.com/api/rest/authentication/',
    properties: [
      text('server', 'GitLab Server', { initial: 'https://gitlab.com' }),
      secret('accessToken', 'Access Token', { required: true }),
    ],
    authenticate: { headers: { 'Private-Token': '{accessToken}' } },
    hosts: gitlab.hosts,
    test: gitlab.at('/api/v4/user'),
  }),
  serviceType({
    name: 'homeAssistantApi',
    displayName: 'Home Assistant',
    documentation: 'https://developers.home-assistant.io/docs/api/rest/',
    properties: [
      text('host', 'Host', { required: true, description: 'Name or IP address, without `http://`' }),
      wholeNumber('port', 'Port', 8123, [1, 65_535]),
      flag('ssl', 'SSL', { description: 'Whether the server uses HTTPS' }),
      secret('accessToken', 'Access Token', { required: true }),
    ],
    authenticate: bearer('accessToken'),
    hosts: (data) => hostOfAddress(homeAssistantUrl(data)),
    test: (data) => `${homeAssistantUrl(data)}/api/`,
  }),
  serviceType({
    name: 'jiraSoftwareCloudApi',
    displayName: 'Jira Cloud',
    documentation: 'https://developer.atlassian.com/cloud/jira/platform/basic-auth-for-rest-apis/',
    properties: [
      user('email', 'Email'),
      secret('apiToken', 'API Token', { required: true }),
      text('domain', 'Domain', { required: true, description: 'Site URL: `https://<site>.atlassian.net`' }),
    ],
    authenticate: { basic: { user: '{email}', password: '{apiToken}' } },
    hosts: jira.hosts,
    test: jira.at('/rest/api/2/myself'),
  }),
  serviceType({
    name: 'jiraSoftwareServerApi',
    displayName: 'Jira Server',
    documentation: 'https://developer.atlassian.com/server/jira/platform/basic-authentication/',
    properties: [
      user('email', 'User'),
      secret('password', 'Password', { required: true }),
      text('domain', 'Domain', { required: true, description: 'Site URL' }),
    ],
    authenticate: { basic: { user: '{email}', password: '{password}' } },
    hosts: jira.hosts,
    test: jira.at('/rest/api/2/myself'),
  }),
  serviceType({
    name: 'jiraSoftwareServerPatApi',
    displayName: 'Jira Server (Personal Access Token)',
    documentation: 'https://developer.atlassian.com/server/jira/platform/personal-access-token/',
    properties: [
      secret('personalAccessToken', 'Personal Access Token', { required: true }),
      text('domain', 'Domain', { required: true, description: 'Site URL' }),
    ],
    authenticate: bearer('personalAccessToken'),
    hosts: jira.hosts,
    test: jira.at('/rest/api/2/myself'),
  }),
  serviceType({
    name: 'jotFormApi',
    displayName: 'Jotform',
    documentation: 'https://api.jotform.com/docs/',
    properties: [
      apiKey,
      choice('apiDomain', 'API Domain', [
        ['api.jotform.com', 'api.jotform.com'],
        ['eu-api.jotform.com', 'eu-api.jotform.com'],
        ['hipaa-api.jotform.com', 'hipaa-api.jotform.com'],
      ]),
    ],
    authenticate: { headers: { APIKEY: '{apiKey}' } },
    hosts: (data) => [optionalCredentialText(data, 'apiDomain', 'api.jotform.com')],
    test: (data) => `https://${optionalCredentialText(data, 'apiDomain', 'api.jotform.com')}/user`,
  }),
  serviceType({
    name: 'mailchimpApi',
    displayName: 'Mailchimp',
    documentation: 'https://mailchimp.com/developer/marketing/guides/quick-start/',
    properties: [apiKey],
    authenticate: { basic: { user: 'key', password: '{apiKey}' } },
    hosts: (data) => [mailchimpHost(data) ?? []].flat(),
    problemOf: (data) =>
      mailchimpHost(data) === undefined ? 'the field "apiKey" does not end with a data center, such as "-us6"' : undefined,
    test: (data) => `https://${mailchimpHost(data)}/3.0/ping`,
  }),
  serviceType({
    name: 'mattermostApi',
    displayName: 'Mattermost',
    documentation: 'https://developers.mattermost.com/integrate/reference/personal-access-token/',
    properties: [
      secret('accessToken', 'Access Token', { required: true }),
      text('baseUrl', 'Base URL', { required: true }),
      allowUnauthorizedCerts,
    ],
    authenticate: bearer('accessToken'),
    hosts: mattermost.hosts,
    test: mattermost.at('/api/v4/users/me'),
  }),
  serviceType({
    name: 'n8nApi',
    displayName: 'n8n',
    documentation: 'https://docs.n8n.io/api/authentication/',
    properties: [
      apiKey,
      text('baseUrl', 'Base URL', {
        description: 'Address of the public API: `https://<host>/api/v1`; default: the API of this service',
      }),
    ],
    ownApiField: 'baseUrl',
    ownApiKeyField: 'apiKey',
    // Services like this one read the first header by default, others the second.
    authenticate: { headers: { 'X-SERVICE-API-KEY': '{apiKey}', 'X-N8N-API-KEY': '{apiKey}' } },
    hosts: n8n.hosts,
    test: n8n.at('/workflows?limit=1'),
  }),
  serviceType({
    name: 'nextCloudApi',
    displayName: 'Nextcloud',
    documentation: 'https://docs.nextcloud.com/server/latest/developer_manual/client_apis/WebDAV/',
    properties: [
      text('webDavUrl', 'WebDAV URL', { required: true, description: '`https://<host>/remote.php/webdav`' }),
      user('user', 'User'),
      secret('password', 'Password', { required: true }),
    ],
    authenticate: { basic: { user: '{user}', password: '{password}' } },
    hosts: nextCloud.hosts,
    test: (data) => ({ method: 'PROPFIND', url: nextCloud.at('/')(data), headers: { depth: '0' } }),
  }),
  serviceType({
    name: 'nocoDb',
    displayName: 'NocoDB (User Token)',
    documentation: 'https://nocodb.com/docs/product-docs/developer-resources',
    properties: [secret('apiToken', 'User Token', { required: true }), text('host', 'Host', { required: true })],
    authenticate: { headers: { 'xc-auth': '{apiToken}' } },
    hosts: nocoDb.hosts,
    test: nocoDb.at('/api/v1/auth/user/me'),
  }),
  serviceType({
    name: 'nocoDbApiToken',
    displayName: 'NocoDB (API Token)',
    documentation: 'https://nocodb.com/docs/product-docs/developer-resources/api-tokens',
    properties: [secret('apiToken', 'API Token', { required: true }), text('host', 'Host', { required: true })],
    authenticate: { headers: { 'xc-token': '{apiToken}' } },
    hosts: nocoDb.hosts,
    test: nocoDb.at('/api/v1/auth/user/me'),
  }),
  serviceType({
    name: 'odooApi',
    displayName: 'Odoo',
    documentation: 'https://www.odoo.com/documentation/18.0/developer/reference/external_api.html',
    properties: [
      text('url', 'Site URL', { required: true }),
      user('username', 'Username'),
      secret('password', 'Password or API Key', { required: true }),
      text('db', 'Database Name', { description: 'Default: the first part of the host name' }),
    ],
    hosts: odoo.hosts,
    test: (data) => ({
      method: 'POST',
      url: odoo.at('/jsonrpc')(data),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', method: 'call', params: odooLogin(data) }),
    }),
    refusal: (body) =>
      isJsonObject(body) && typeof body['result'] === 'number' ? undefined : 'the service refused the user name or password',
  }),
  serviceType({
    name: 'serviceNowBasicApi',
    displayName: 'ServiceNow',
    documentation:
      'https://www.servicenow.com/docs/bundle/zurich-api-reference/page/integrate/inbound-rest/concept/c_RESTAPI.html',
    properties: [
      user('user', 'User'),
      secret('password', 'Password', { required: true }),
      text('subdomain', 'Subdomain', { required: true }),
    ],
    authenticate: { basic: { user: '{user}', password: '{password}' } },
    ...serviceNow.rules,
    test: serviceNow.at('/api/now/table/sys_user?sysparm_limit=1'),
  }),
  serviceType({
    name: 'shopifyAccessTokenApi',
    displayName: 'Shopify Access Token',
    documentation: 'https://shopify.dev/docs/api/admin-rest#authentication',
    properties: [
      text('shopSubdomain', 'Shop Subdomain', { required: true }),
      secret('accessToken', 'Access Token', { required: true }),
      secret('appSecretKey', 'App Secret Key', { description: 'Verifies that requests come from Shopify; for triggers' }),
    ],
    authenticate: { headers: { 'X-Shopify-Access-Token': '{accessToken}' } },
    ...shop.rules,
    test: shop.at('/admin/api/2025-10/shop.json'),
  }),
  serviceType({
    name: 'shopifyApi',
    displayName: 'Shopify API Key',
    documentation: 'https://shopify.dev/docs/api/admin-rest#authentication',
    properties: [
      apiKey,
      secret('password', 'Password', { required: true }),
      text('shopSubdomain', 'Shop Subdomain', { required: true }),
      secret('sharedSecret', 'Shared Secret', { description: 'Verifies that requests come from Shopify; for triggers' }),
    ],
    authenticate: { basic: { user: '{apiKey}', password: '{password}' } },
    ...shop.rules,
    test: shop.at('/admin/api/2025-10/shop.json'),
  }),
  serviceType({
    name: 'twilioApi',
    displayName: 'Twilio',
    documentation: 'https://www.twilio.com/docs/usage/requests-to-twilio',
    properties: [
      choice(
        'authType',
        'Auth Type',
        [
          ['authToken', 'Auth Token'],
          ['apiKey', 'API Key'],
        ],
        { keepsSecrets: true },
      ),
      user('accountSid', 'Account SID'),
      secret('authToken', 'Auth Token', { required: true, show: { authType: ['authToken'] } }),
      text('apiKeySid', 'API Key SID', { required: true, keepsSecrets: true, show: { authType: ['apiKey'] } }),
      secret('apiKeySecret', 'API Key Secret', { required: true, show: { authType: ['apiKey'] } }),
    ],
    authenticate: authenticateTwilio,
    hosts: ['*.twilio.com'],
    test: (data) => `https://api.twilio.com/2010-04-01/Accounts/${encodeURIComponent(credentialText(data, 'accountSid'))}.json`,
  }),
  serviceType({
    name: 'wooCommerceApi',
    displayName: 'WooCommerce',
    documentation: 'https://woocommerce.github.io/woocommerce-rest-api-docs/#authentication',
    properties: [
      secret('consumerKey', 'Consumer Key', { required: true }),
      secret('consumerSecret', 'Consumer Secret', { required: true }),
      text('url', 'WooCommerce URL', { required: true }),
      flag('includeCredentialsInQuery', 'Include Credentials in Query', { keepsSecrets: true }),
    ],
    authenticate: authenticateWooCommerce,
    hosts: wooCommerce.hosts,
    test: wooCommerce.at('/wp-json/wc/v3/products?per_page=1'),
  }),
  serviceType({
    name: 'wordpressApi',
    displayName: 'WordPress',
    documentation: 'https://developer.wordpress.org/rest-api/using-the-rest-api/authentication/',
    properties: [
      user('username', 'Username'),
      secret('password', 'Application Password', { required: true }),
      text('url', 'WordPress URL', { required: true }),
      allowUnauthorizedCerts,
    ],
    authenticate: { basic: { user: '{username}', password: '{password}' } },
    hosts: wordpress.hosts,
    test: wordpress.at('/wp-json/wp/v2/users/me'),
  }),
  serviceType({
    name: 'zendeskApi',
    displayName: 'Zendesk',
    documentation: 'https://developer.zendesk.com/api-reference/introduction/security-and-auth/',
    properties: [
      text('subdomain', 'Subdomain', { required: true }),
      user('email', 'Email'),
      secret('apiToken', 'API Token', { required: true }),
    ],
    authenticate: { basic: { user: '{email}/token', password: '{apiToken}' } },
    ...zendesk.rules,
    test: zendesk.at('/api/v2/users/me.json'),
  }),
  serviceType({
    name: 'discordWebhookApi',
    displayName: 'Discord Webhook',
    documentation: 'https://discord.com/developers/docs/resources/webhook',
    properties: [secret('webhookUri', 'Webhook URL', { required: true })],
    // The URL itself is the secret.
    authenticate: (request) => request,
    hosts: ['discord.com', 'discordapp.com'],
    test: (data) => credentialText(data, 'webhookUri'),
  }),
];

/** Name of the database of an Odoo credential. */
export function odooDatabase(data: JsonObject): string {
  return optionalCredentialText(data, 'db', URL.parse(credentialText(data, 'url'))?.hostname.split('.')[0] ?? '');
}

function odooLogin(data: JsonObject): JsonObject {
  const args = [odooDatabase(data), credentialText(data, 'username'), credentialText(data, 'password')];
  return { service: 'common', method: 'login', args };
}
