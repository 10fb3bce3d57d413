import { type CredentialType, type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import { hostOfAddress } from '../shared/hosts-of-service.ts';
import { choice, text } from '../shared/properties.ts';
import { oAuth2Service } from './oauth2-service.ts';
import { addressIn, subdomainIn } from './service-type.ts';

const gitlab = addressIn('server', 'https://gitlab.com');
const nextCloud = addressIn('webDavUrl');
const serviceNow = subdomainIn('subdomain', 'service-now.com');
const shop = subdomainIn('shopSubdomain', 'myshopify.com');
const zendesk = subdomainIn('subdomain', 'zendesk.com');

/** API address: the credential's server is the website or the API. */
function githubAddresses(data: JsonObject): { site: string; api: string } {
  const server = optionalCredentialText(data, 'server', 'https://github.com');
  const origin = URL.parse(server)?.origin ?? '';
  const isPublic = ['https://github.com', 'https://api.github.com'].includes(origin);
  return isPublic ? { site: 'https://github.com', api: 'https://api.github.com' } : { site: origin, api: `${origin}/api/v3` };
}

const githubHosts = (api: string) =>
  api === 'https://api.github.com' ? ['api.github.com', 'uploads.github.com', 'raw.githubusercontent.com'] : hostOfAddress(api);

const salesforceHost = (data: JsonObject) =>
  `https://${optionalCredentialText(data, 'environment') === 'sandbox' ? 'test' : 'login'}.salesforce.com`;

/** Top-level domains of Zoho's data centers. */
const zohoRegions = ['com', 'eu', 'in', 'com.au', 'jp', 'com.cn', 'sa'] as const;
const zohoUrls = (path: string) =>
  zohoRegions.map((region) => [`https://accounts.zoho.${region}/oauth/v2/${path}`, `accounts.zoho.${region}`] as const);
const zohoUrl = (data: JsonObject, field: string, path: string) =>
  optionalCredentialText(data, field, `https://accounts.zoho.com/oauth/v2/${path}`);
const zohoHosts = (tokenUrl: string) => {
  const region = zohoRegions.find((candidate) => URL.parse(tokenUrl)?.hostname === `accounts.zoho.${candidate}`);
  return region === undefined ? [] : [`*.zoho.${region}`, `*.zohoapis.${region}`];
};

/** Services with OAuth 2 at a customer's address or in a region. */
export const oAuth2SiteTypes: readonly CredentialType[] = [
  oAuth2Service({
    name: 'githubOAuth2Api',
    displayName: 'GitHub OAuth2',
    documentation: 'https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps',
    fields: [text('server', 'GitHub Server', { initial: 'https://api.github.com' })],
    authUrl: (data) => `${githubAddresses(data).site}/login/oauth/authorize`,
    tokenUrl: (data) => `${githubAddresses(data).site}/login/oauth/access_token`,
    scope: 'repo admin:repo_hook admin:org admin:org_hook gist notifications user write:packages read:packages workflow',
    client: 'body',
    hosts: (data) => githubHosts(githubAddresses(data).api),
    test: (data) => `${githubAddresses(data).api}/user`,
  }),
  oAuth2Service({
    name: 'gitlabOAuth2Api',
    displayName: 'GitLab OAuth2',
    documentation: 'https://docs.gitlab.com/api/oauth2/',
    fields: [text('server', 'GitLab Server', { initial: 'https://gitlab.com' })],
    authUrl: gitlab.at('/oauth/authorize'),
    tokenUrl: gitlab.at('/oauth/token'),
    revocation: { url: gitlab.at('/oauth/revoke') },
    scope: 'api',
    client: 'body',
    hosts: gitlab.hosts,
    test: gitlab.at('/api/v4/user'),
  }),
  oAuth2Service({
    name: 'salesforceOAuth2Api',
    displayName: 'Salesforce OAuth2',
    documentation: 'https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_oauth_web_server_flow.htm',
    fields: [
      choice('environment', 'Environment Type', [
        ['production', 'Production'],
        ['sandbox', 'Sandbox'],
      ]),
    ],
    authUrl: (data) => `${salesforceHost(data)}/services/oauth2/authorize`,
    tokenUrl: (data) => `${salesforceHost(data)}/services/oauth2/token`,
    revocation: { url: (data) => `${salesforceHost(data)}/services/oauth2/revoke` },
    scope: 'full refresh_token',
    client: 'body',
    pkce: true,
    // Not `*.force.com`: any organization can have a site there.
    hosts: ['*.salesforce.com'],
    test: (data) => `${salesforceHost(data)}/services/oauth2/userinfo`,
  }),
  oAuth2Service({
    name: 'serviceNowOAuth2Api',
    displayName: 'ServiceNow OAuth2',
    documentation:
      'https://www.servicenow.com/docs/bundle/zurich-platform-security/page/administer/security/concept/c_OAuthApplications.html',
    fields: [text('subdomain', 'Subdomain', { required: true })],
    authUrl: serviceNow.at('/oauth_auth.do'),
    tokenUrl: serviceNow.at('/oauth_token.do'),
    scope: 'useraccount',
    ...serviceNow.rules,
    test: serviceNow.at('/api/now/table/sys_user?sysparm_limit=1'),
  }),
  oAuth2Service({
    name: 'shopifyOAuth2Api',
    displayName: 'Shopify OAuth2',
    documentation: 'https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/authorization-code-grant',
    fields: [text('shopSubdomain', 'Shop Subdomain', { required: true })],
    authUrl: shop.at('/admin/oauth/authorize'),
    tokenUrl: shop.at('/admin/oauth/access_token'),
    scope: 'write_orders read_orders write_products read_products write_customers read_customers',
    client: 'body',
    carry: (token) => ['x-shopify-access-token', token],
    ...shop.rules,
    test: shop.at('/admin/api/2025-10/shop.json'),
  }),
  oAuth2Service({
    name: 'zendeskOAuth2Api',
    displayName: 'Zendesk OAuth2',
    documentation:
      'https://developer.zendesk.com/documentation/api-basics/authentication/creating-and-using-oauth-tokens-with-the-api/',
    fields: [text('subdomain', 'Subdomain', { required: true })],
    authUrl: zendesk.at('/oauth/authorizations/new'),
    tokenUrl: zendesk.at('/oauth/tokens'),
    scope: 'read write',
    client: 'body',
    ...zendesk.rules,
    test: zendesk.at('/api/v2/users/me.json'),
  }),
  oAuth2Service({
    name: 'zohoOAuth2Api',
    displayName: 'Zoho OAuth2',
    documentation: 'https://www.zoho.com/crm/developer/docs/api/v8/oauth-overview.html',
    fields: [
      choice('authUrl', 'Authorization URL', zohoUrls('auth')),
      choice('accessTokenUrl', 'Access Token URL', zohoUrls('token')),
    ],
    authUrl: (data) => zohoUrl(data, 'authUrl', 'auth'),
    tokenUrl: (data) => zohoUrl(data, 'accessTokenUrl', 'token'),
    scope: 'ZohoCRM.modules.ALL,ZohoCRM.settings.all,ZohoCRM.users.all',
    authQuery: 'access_type=offline&prompt=consent',
    client: 'body',
    carry: (token) => ['authorization', `Zoho-oauthtoken ${token}`],
    hosts: (data) => zohoHosts(zohoUrl(data, 'accessTokenUrl', 'token')),
  }),
  oAuth2Service({
    name: 'nextCloudOAuth2Api',
    displayName: 'Nextcloud OAuth2',
    documentation: 'https://docs.nextcloud.com/server/latest/admin_manual/configuration_server/oauth2.html',
    fields: [
      text('webDavUrl', 'WebDAV URL', { required: true, description: '`https://<host>/remote.php/webdav`' }),
      text('authUrl', 'Authorization URL', { required: true, description: '`https://<host>/apps/oauth2/authorize`' }),
      text('accessTokenUrl', 'Access Token URL', { required: true, description: '`https://<host>/apps/oauth2/api/v1/token`' }),
    ],
    authUrl: (data) => optionalCredentialText(data, 'authUrl'),
    tokenUrl: (data) => optionalCredentialText(data, 'accessTokenUrl'),
    client: 'body',
    hosts: nextCloud.hosts,
    test: (data) => ({ method: 'PROPFIND', url: nextCloud.at('/')(data), headers: { depth: '0' } }),
  }),
];
