import type { JsonObject } from '@sluice/node-sdk';

/**
 * Valid data of a credential type, and the request of its test. Values of secret fields, and only
 * they, contain `s-`.
 */
interface ServiceSample {
  type: string;
  data: JsonObject;
  /** Method and URL. */
  expectedRequest: string;
  headers?: Record<string, string>;
}

const sample = (type: string, data: JsonObject, expectedRequest: string, headers?: Record<string, string>): ServiceSample => ({
  type,
  data,
  expectedRequest,
  ...(headers && { headers }),
});

const key = { apiKey: 's-key' };
const token = { accessToken: 's-token' };
const byKey = { Authorization: 'Bearer s-key' };
const byToken = { Authorization: 'Bearer s-token' };
const basic = (pair: string) => ({ authorization: `Basic ${btoa(pair)}` });

/** One sample for each credential type in `credentials/services` that does not use OAuth 2. */
export const serviceSamples: readonly ServiceSample[] = [
  sample(
    'anthropicApi',
    { ...key, header: true, headerName: 'X-More', headerValue: 's-more' },
    'GET https://api.anthropic.com/v1/models',
    { 'x-api-key': 's-key', 'anthropic-version': '2023-06-01', 'X-More': 's-more' },
  ),
  sample('googlePalmApi', key, 'GET https://generativelanguage.googleapis.com/v1beta/models', { 'x-goog-api-key': 's-key' }),
  sample(
    'azureOpenAiApi',
    { ...key, resourceName: 'acme', apiVersion: '2025-03-01-preview' },
    'GET https://acme.openai.azure.com/openai/models?api-version=2025-03-01-preview',
    { 'api-key': 's-key' },
  ),
  sample('openRouterApi', key, 'GET https://openrouter.ai/api/v1/key', byKey),
  sample('xAiApi', key, 'GET https://api.x.ai/v1/models', byKey),
  sample('vercelAiGatewayApi', key, 'GET https://ai-gateway.vercel.sh/v1/credits', byKey),
  sample('ollamaApi', { ...key, baseUrl: 'http://10.0.0.5:11434/' }, 'GET http://10.0.0.5:11434/api/tags', {
    authorization: 'Bearer s-key',
  }),
  sample('groqApi', key, 'GET https://api.groq.com/openai/v1/models', byKey),
  sample('mistralCloudApi', key, 'GET https://api.mistral.ai/v1/models', byKey),
  sample('deepSeekApi', key, 'GET https://api.deepseek.com/models', byKey),
  sample('cohereApi', key, 'GET https://api.cohere.com/v1/models?page_size=1', byKey),
  sample('perplexityApi', key, 'GET https://api.perplexity.ai/async/chat/completions', byKey),
  sample('huggingFaceApi', key, 'GET https://huggingface.co/api/whoami-v2', byKey),
  sample('jinaAiApi', key, 'GET https://r.jina.ai/https://example.com/', byKey),
  sample('pineconeApi', key, 'GET https://api.pinecone.io/indexes', { 'Api-Key': 's-key' }),
  sample('qdrantApi', { ...key, qdrantUrl: 'https://q.example:6333' }, 'GET https://q.example:6333/collections', {
    'api-key': 's-key',
  }),
  sample('supabaseApi', { host: 'https://acme.supabase.co', serviceRole: 's-role' }, 'GET https://acme.supabase.co/rest/v1/', {
    apikey: 's-role',
    Authorization: 'Bearer s-role',
  }),
  sample(
    'weaviateApi',
    { weaviate_cloud_endpoint: 'c1.weaviate.example', weaviate_api_key: 's-key' },
    'GET https://c1.weaviate.example/v1/schema',
    { authorization: 'Bearer s-key' },
  ),
  sample('searXngApi', { apiUrl: 'https://search.example/' }, 'GET https://search.example/search?q=test&format=json'),
  sample('serpApi', key, 'GET https://serpapi.com/account.json?api_key=s-key'),
  sample('wolframAlphaApi', { appId: 's-app' }, 'GET https://api.wolframalpha.com/v1/result?i=1%2B1&appid=s-app'),

  sample('airtableApi', key, 'GET https://api.airtable.com/v0/meta/whoami', byKey),
  sample('airtopApi', key, 'GET https://api.airtop.ai/api/v1/sessions?limit=1', byKey),
  sample('asanaApi', token, 'GET https://app.asana.com/api/1.0/users/me', byToken),
  sample('calApi', key, 'GET https://api.cal.com/v2/me', byKey),
  sample('calendlyApi', key, 'GET https://api.calendly.com/users/me', byKey),
  sample('clearbitApi', key, 'GET https://company.clearbit.com/v1/domains/find?name=Example', byKey),
  sample('clickUpApi', token, 'GET https://api.clickup.com/api/v2/user', { Authorization: 's-token' }),
  sample('clockifyApi', key, 'GET https://api.clockify.me/api/v1/user', { 'X-Api-Key': 's-key' }),
  sample('cloudflareApi', { apiToken: 's-t' }, 'GET https://api.cloudflare.com/client/v4/user/tokens/verify', {
    Authorization: 'Bearer s-t',
  }),
  sample('discordBotApi', { botToken: 's-bot' }, 'GET https://discord.com/api/v10/users/@me', { Authorization: 'Bot s-bot' }),
  sample('dropboxApi', token, 'POST https://api.dropboxapi.com/2/users/get_current_account', byToken),
  sample('facebookGraphApi', token, 'GET https://graph.facebook.com/me?access_token=s-token'),
  sample('facebookGraphAppApi', { ...token, appSecret: 's-app' }, 'GET https://graph.facebook.com/me?access_token=s-token'),
  sample('hubspotAppToken', { appToken: 's-app' }, 'GET https://api.hubapi.com/account-info/v3/details', {
    Authorization: 'Bearer s-app',
  }),
  sample('hubspotApi', key, 'GET https://api.hubapi.com/account-info/v3/details?hapikey=s-key'),
  sample('hunterApi', key, 'GET https://api.hunter.io/v2/account', { 'X-API-KEY': 's-key' }),
  sample('linearApi', key, 'POST https://api.linear.app/graphql', { Authorization: 's-key' }),
  sample('mondayComApi', { apiToken: 's-t' }, 'POST https://api.monday.com/v2', { Authorization: 's-t' }),
  sample('openWeatherMapApi', token, 'GET https://api.openweathermap.org/data/2.5/weather?lat=0&lon=0&appid=s-token'),
  sample('apiTemplateIoApi', key, 'GET https://rest.apitemplate.io/v2/account-information', { 'X-API-KEY': 's-key' }),
  sample('sendInBlueApi', key, 'GET https://api.brevo.com/v3/account', { 'api-key': 's-key' }),
  sample(
    'homeAssistantApi',
    { ...token, host: 'home.test', port: 8123, ssl: false },
    'GET http://home.test:8123/api/',
    byToken,
  ),
  sample('phantombusterApi', key, 'GET https://api.phantombuster.com/api/v2/orgs/fetch', { 'X-Phantombuster-Key': 's-key' }),
  sample('pipedriveApi', { apiToken: 's-t' }, 'GET https://api.pipedrive.com/v1/users/me', { 'x-api-token': 's-t' }),
  sample('sendGridApi', key, 'GET https://api.sendgrid.com/v3/scopes', byKey),
  sample('stripeApi', { secretKey: 's-sk', signatureSecret: 's-wh' }, 'GET https://api.stripe.com/v1/balance', {
    Authorization: 'Bearer s-sk',
  }),
  sample('todoistApi', key, 'GET https://api.todoist.com/api/v1/user', byKey),
  sample('trelloApi', { ...key, apiToken: 's-t', oauthSecret: 's-o' }, 'GET https://api.trello.com/1/members/me?fields=id', {
    Authorization: 'OAuth oauth_consumer_key="s-key", oauth_token="s-t"',
  }),
  sample(
    'twitterOAuth1Api',
    {
      consumerKey: 'c',
      consumerSecret: 's-c',
      accessToken: 's-a',
      accessTokenSecret: 's-b',
      oauthTokenData: { oauth_token: 's-old' },
    },
    'GET https://api.x.com/2/users/me',
  ),
  sample('beeminderApi', { authToken: 's-t' }, 'GET https://www.beeminder.com/api/v1/users/me.json?auth_token=s-t'),
  sample('circleCiApi', key, 'GET https://circleci.com/api/v2/me', { 'Circle-Token': 's-key' }),
  sample(
    'gotifyApi',
    { appApiToken: 's-app', clientApiToken: 's-client', url: 'https://push.example/' },
    'GET https://push.example/message?limit=1',
    { 'X-Gotify-Key': 's-client' },
  ),
  sample('plivoApi', { authId: 'MA1', authToken: 's-t' }, 'GET https://api.plivo.com/v1/Account/MA1/', basic('MA1:s-t')),
  sample('deepLApi', { apiKey: 's-key:fx' }, 'GET https://api-free.deepl.com/v2/usage', {
    Authorization: 'DeepL-Auth-Key s-key:fx',
  }),
  sample(
    'mailjetEmailApi',
    { ...key, secretKey: 's-secret' },
    'GET https://api.mailjet.com/v3/REST/sender?Limit=1',
    basic('s-key:s-secret'),
  ),
  sample('mailjetSmsApi', { token: 's-t' }, 'GET https://api.mailjet.com/v4/sms?Limit=1', { Authorization: 'Bearer s-t' }),
  sample('nasaApi', { api_key: 's-key' }, 'GET https://api.nasa.gov/planetary/apod?api_key=s-key'),
  sample('signl4Api', { teamSecret: 's-team' }, 'POST https://connect.signl4.com/webhook/s-team'),
  sample('typeformApi', token, 'GET https://api.typeform.com/me', byToken),
  sample('uprocApi', { ...key, email: 'a@b.example' }, 'GET https://api.uproc.io/api/v2/profile', basic('a@b.example:s-key')),
  sample('whatsAppApi', { ...token, businessAccountId: '42' }, 'GET https://graph.facebook.com/v23.0/42', byToken),
  sample('whatsAppTriggerApi', { clientId: '7', clientSecret: 's-c' }, 'GET https://graph.facebook.com/v23.0/app', {
    Authorization: 'Bearer 7|s-c',
  }),

  sample(
    'baserowApi',
    { username: 'ann', password: 's-p', sessionToken: 's-jwt' },
    'GET https://api.baserow.io/api/applications/',
    { Authorization: 'JWT s-jwt' },
  ),
  sample('baserowTokenApi', { token: 's-t' }, 'GET https://api.baserow.io/api/database/tokens/check/', {
    Authorization: 'Token s-t',
  }),
  sample('gitlabApi', { ...token, server: 'https://git.example/' }, 'GET https://git.example/api/v4/user', {
    'Private-Token': 's-token',
  }),
  sample(
    'jiraSoftwareCloudApi',
    { email: 'a@b.example', apiToken: 's-t', domain: 'https://acme.atlassian.net' },
    'GET https://acme.atlassian.net/rest/api/2/myself',
    basic('a@b.example:s-t'),
  ),
  sample(
    'jiraSoftwareServerApi',
    { email: 'ann', password: 's-p', domain: 'https://jira.example' },
    'GET https://jira.example/rest/api/2/myself',
    basic('ann:s-p'),
  ),
  sample(
    'jiraSoftwareServerPatApi',
    { personalAccessToken: 's-t', domain: 'https://jira.example' },
    'GET https://jira.example/rest/api/2/myself',
    { Authorization: 'Bearer s-t' },
  ),
  sample('jotFormApi', { ...key, apiDomain: 'eu-api.jotform.com' }, 'GET https://eu-api.jotform.com/user', { APIKEY: 's-key' }),
  sample('mailchimpApi', { apiKey: 's-key-us6' }, 'GET https://us6.api.mailchimp.com/3.0/ping', basic('key:s-key-us6')),
  sample('mattermostApi', { ...token, baseUrl: 'https://chat.example' }, 'GET https://chat.example/api/v4/users/me', byToken),
  sample('n8nApi', { ...key, baseUrl: 'https://flows.example/api/v1' }, 'GET https://flows.example/api/v1/workflows?limit=1', {
    'X-SERVICE-API-KEY': 's-key',
    'X-N8N-API-KEY': 's-key',
  }),
  sample(
    'nextCloudApi',
    { webDavUrl: 'https://cloud.example/remote.php/webdav/', user: 'ann', password: 's-p' },
    'PROPFIND https://cloud.example/remote.php/webdav/',
    { depth: '0', ...basic('ann:s-p') },
  ),
  sample('nocoDb', { apiToken: 's-t', host: 'https://db.example' }, 'GET https://db.example/api/v1/auth/user/me', {
    'xc-auth': 's-t',
  }),
  sample('nocoDbApiToken', { apiToken: 's-t', host: 'https://db.example' }, 'GET https://db.example/api/v1/auth/user/me', {
    'xc-token': 's-t',
  }),
  sample('odooApi', { url: 'https://acme.odoo.com', username: 'ann', password: 's-p' }, 'POST https://acme.odoo.com/jsonrpc'),
  sample(
    'serviceNowBasicApi',
    { user: 'ann', password: 's-p', subdomain: 'dev1' },
    'GET https://dev1.service-now.com/api/now/table/sys_user?sysparm_limit=1',
    basic('ann:s-p'),
  ),
  sample(
    'shopifyAccessTokenApi',
    { shopSubdomain: 'acme', ...token, appSecretKey: 's-app' },
    'GET https://acme.myshopify.com/admin/api/2025-10/shop.json',
    { 'X-Shopify-Access-Token': 's-token' },
  ),
  sample(
    'shopifyApi',
    { shopSubdomain: 'acme', ...key, password: 's-p', sharedSecret: 's-s' },
    'GET https://acme.myshopify.com/admin/api/2025-10/shop.json',
    basic('s-key:s-p'),
  ),
  sample(
    'twilioApi',
    { authType: 'apiKey', accountSid: 'AC1', authToken: 's-t', apiKeySid: 'SK1', apiKeySecret: 's-k' },
    'GET https://api.twilio.com/2010-04-01/Accounts/AC1.json',
    basic('SK1:s-k'),
  ),
  sample(
    'wooCommerceApi',
    { consumerKey: 's-ck', consumerSecret: 's-cs', url: 'https://shop.example' },
    'GET https://shop.example/wp-json/wc/v3/products?per_page=1',
    basic('s-ck:s-cs'),
  ),
  sample(
    'wordpressApi',
    { username: 'ann', password: 's-p', url: 'https://blog.example' },
    'GET https://blog.example/wp-json/wp/v2/users/me',
    basic('ann:s-p'),
  ),
  sample('freshdeskApi', { ...key, domain: 'acme' }, 'GET https://acme.freshdesk.com/api/v2/agents/me', basic('s-key:X')),
  sample(
    'zendeskApi',
    { subdomain: 'acme', email: 'a@b.example', apiToken: 's-t' },
    'GET https://acme.zendesk.com/api/v2/users/me.json',
    basic('a@b.example/token:s-t'),
  ),
  sample(
    'discordWebhookApi',
    { webhookUri: 'https://discord.com/api/webhooks/1/s-t' },
    'GET https://discord.com/api/webhooks/1/s-t',
  ),
];
