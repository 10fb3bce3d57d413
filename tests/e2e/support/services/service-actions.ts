import { expect } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/domain';
import { connected, type SentRequest } from './service-requests.ts';

/** A service without a trigger. The documented example of its node runs in a webhook workflow. */
export interface ServiceAction {
  /** Credential type → its data. */
  credentials: Readonly<Record<string, JsonObject>>;
  /** Requests that the service receives, in order. */
  requests: readonly SentRequest[];
  /** Output items. Default: the output of the example. */
  items?: readonly JsonObject[];
}

const odooCall = (service: string, method: string, args: JsonValue[]): JsonObject => ({
  jsonrpc: '2.0',
  method: 'call',
  params: { service, method, args },
  id: 1,
});

/** Service → its workflow. */
export const serviceActions: Readonly<Record<string, ServiceAction>> = {
  airtop: {
    credentials: { airtopApi: { apiKey: 'k1' } },
    requests: [
      ['POST /api/v1/sessions', { configuration: {} }],
      ['GET /api/v1/sessions/s1'],
      ['POST /api/v1/sessions/s1/windows', { url: 'https://example.com/' }],
      ['POST /api/v1/sessions/s1/windows/w1/page-query', { prompt: 'What is the title of the page?' }],
      ['DELETE /api/v1/sessions/s1'],
    ],
  },
  'api-template-io': {
    credentials: { apiTemplateIoApi: { apiKey: 'k1' } },
    requests: [['POST /v2/create-pdf?template_id=abc123', { customer: 'Ada', total: 120 }]],
  },
  asana: {
    credentials: { asanaApi: { accessToken: 't1' } },
    requests: [
      [
        'POST /api/1.0/tasks',
        { data: { workspace: '11', name: 'Call Ada', due_on: '2026-01-31', notes: 'About the order', projects: ['22'] } },
      ],
    ],
  },
  baserow: {
    credentials: { baserowApi: { host: 'https://api.baserow.io/', username: 'a@a.test', password: 'p' } },
    requests: [
      ['POST /api/user/token-auth/', { email: 'a@a.test', password: 'p' }],
      ['GET /api/database/fields/table/9/'],
      ['POST /api/database/rows/table/9/', { field_12: 'Ada' }],
    ],
  },
  discord: {
    credentials: { discordBotApi: { botToken: 'b' } },
    requests: [['POST /api/v10/channels/2/messages', { content: 'Hello' }]],
  },
  dropbox: {
    credentials: { dropboxOAuth2Api: connected('t', { accessType: 'folder' }) },
    requests: [['POST /2/files/upload', 'Hello']],
  },
  'facebook-graph-api': {
    credentials: { facebookGraphApi: { accessToken: 'EAA' } },
    requests: [['POST /v23.0/17841400000000000/media_publish?creation_id=18000000000000000&access_token=EAA']],
  },
  freshdesk: {
    credentials: { freshdeskApi: { apiKey: 'k1', domain: 'acme' } },
    requests: [
      ['POST /api/v2/tickets', { email: 'ada@example.com', subject: 'Broken', description: 'It does not start', priority: 2 }],
    ],
  },
  'google-analytics': {
    credentials: { googleAnalyticsOAuth2: connected('ya29') },
    requests: [
      [
        'POST /v1beta/properties/123:runReport',
        {
          dateRanges: [{ startDate: '30daysAgo', endDate: 'today' }],
          metrics: [{ name: 'screenPageViews' }],
          dimensions: [{ name: 'country' }],
          limit: 50,
        },
      ],
    ],
  },
  'google-business-profile': {
    credentials: { googleBusinessProfileOAuth2Api: connected('ya29') },
    requests: [['GET /v4/accounts/1/locations/2/reviews?pageSize=1']],
  },
  'google-cloud-storage': {
    credentials: { googleCloudStorageOAuth2Api: connected('ya29') },
    requests: [
      ['POST /upload/storage/v1/b/reports/o?uploadType=resumable', { contentType: 'text/plain', name: '2026/today.txt' }],
      ['PUT /upload/storage/v1/b/reports/o?uploadType=resumable&upload_id=u1', 'Hello'],
    ],
  },
  'google-contacts': {
    credentials: { googleContactsOAuth2Api: connected('ya29') },
    requests: [
      [
        'POST /v1/people:createContact',
        { names: [{ familyName: 'Lovelace', givenName: 'Ada' }], phoneNumbers: [{ type: 'work', value: '+44 20 7946 0000' }] },
      ],
    ],
  },
  'google-docs': {
    credentials: { googleDocsOAuth2Api: connected('ya29') },
    requests: [
      [
        'POST /v1/documents/doc1:batchUpdate',
        { requests: [{ insertText: { text: 'Hello\n', endOfSegmentLocation: { segmentId: '' } } }] },
      ],
    ],
  },
  'google-slides': {
    credentials: { googleSlidesOAuth2Api: connected('ya29') },
    requests: [
      [
        'POST /v1/presentations/p1:batchUpdate',
        {
          requests: [
            { replaceAllText: { containsText: { text: '[ NAME ]', matchCase: false }, replaceText: 'Ada', pageObjectIds: [] } },
          ],
        },
      ],
    ],
  },
  'google-tasks': {
    credentials: { googleTasksOAuth2Api: connected('ya29') },
    requests: [
      [
        'POST /tasks/v1/lists/%40default/tasks',
        { title: 'Call Ada', notes: 'About the order', due: '2026-01-31T00:00:00.000Z' },
      ],
    ],
  },
  'google-translate': {
    credentials: { googleTranslateOAuth2Api: connected('ya29') },
    requests: [['POST /language/translate/v2', { q: 'Hello', target: 'de' }]],
  },
  'high-level': {
    credentials: {
      highLevelOAuth2Api: connected('t1', { oauthTokenData: { access_token: 't1', locationId: 'loc1' } }),
    },
    requests: [['POST /contacts/upsert', { locationId: 'loc1', email: 'ada@example.com', firstName: 'Ada', tags: ['web'] }]],
  },
  'hacker-news': {
    credentials: {},
    requests: [['GET /api/v1/search?query=workflows&tags=story&hitsPerPage=1']],
  },
  'home-assistant': {
    credentials: { homeAssistantApi: { host: 'home.test', port: 443, ssl: true, accessToken: 't1' } },
    requests: [['POST /api/services/light/turn_on', { entity_id: 'light.kitchen' }]],
  },
  hunter: {
    credentials: { hunterApi: { apiKey: 'k1' } },
    requests: [['GET /v2/email-verifier?email=ada%40example.com']],
  },
  'jina-ai': {
    credentials: { jinaAiApi: { apiKey: 'k1' } },
    requests: [['POST /', { url: 'https://example.com/' }]],
  },
  jira: {
    credentials: {
      jiraSoftwareCloudApi: { email: 'ann@acme.test', apiToken: 'token1', domain: 'https://acme.atlassian.net/' },
    },
    requests: [
      [
        'POST /rest/api/2/issue',
        {
          fields: {
            project: { id: '10000' },
            issuetype: { id: '10002' },
            summary: 'Broken',
            description: 'It does not start',
            labels: ['automated'],
          },
        },
      ],
    ],
  },
  linear: {
    credentials: { linearApi: { apiKey: 'lin_1' } },
    requests: [
      [
        'POST /graphql',
        {
          query: expect.stringContaining('issueCreate ('),
          variables: { input: { teamId: 't1', title: 'Checkout fails', description: 'Since noon', priority: 1 } },
        },
      ],
    ],
  },
  'linked-in': {
    credentials: { linkedInOAuth2Api: connected('t') },
    requests: [
      [
        'POST /rest/posts',
        {
          author: 'urn:li:person:p1',
          commentary: 'Hello \\(world\\)',
          visibility: 'PUBLIC',
          distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
          lifecycleState: 'PUBLISHED',
          isReshareDisabledByAuthor: false,
        },
      ],
    ],
  },
  mailchimp: {
    credentials: { mailchimpApi: { apiKey: 'key1-us6' } },
    requests: [
      [
        'POST /3.0/lists/l1/members',
        { email_address: 'Ada@Example.com', status: 'subscribed', merge_fields: { FNAME: 'Ada' } },
      ],
    ],
  },
  mattermost: {
    credentials: { mattermostApi: { accessToken: 'token1', baseUrl: 'https://chat.example/' } },
    requests: [
      [
        'POST /api/v4/posts',
        {
          channel_id: 'c1',
          message: 'Hello',
          props: { attachments: [{ title: 'Report', color: '#00aa00', fields: [{ title: 'Sum', value: '5', short: true }] }] },
        },
      ],
    ],
  },
  'microsoft-excel': {
    credentials: { microsoftExcelOAuth2Api: connected('t') },
    requests: [
      [
        'GET /v1.0/me/drive/items/wb1/workbook/worksheets/Sheet1/usedRange(valuesOnly=true)?%24select=columnIndex%2CrowIndex%2Cvalues',
      ],
      ["PATCH /v1.0/me/drive/items/wb1/workbook/worksheets/Sheet1/range(address='B5%3AD5')", { values: [['Bob', 40, null]] }],
    ],
    items: [{ Name: 'Bob', Age: 40, City: '' }],
  },
  'microsoft-one-drive': {
    credentials: { microsoftOneDriveOAuth2Api: connected('t') },
    requests: [['PUT /v1.0/me/drive/items/root:/a%20b.txt:/content', 'Hello']],
  },
  'microsoft-share-point': {
    credentials: { microsoftSharePointOAuth2Api: connected('t1', { subdomain: 'acme' }) },
    requests: [['POST /_api/v2.0/sites/acme.sharepoint.com,s1,w1/lists/l1/items', { fields: { Title: 'Call Ada' } }]],
  },
  'microsoft-teams': {
    credentials: { microsoftTeamsOAuth2Api: connected('t') },
    requests: [['POST /v1.0/chats/19%3Ac%40thread.v2/messages', { body: { contentType: 'text', content: 'Hello' } }]],
  },
  'microsoft-to-do': {
    credentials: { microsoftToDoOAuth2Api: connected('t') },
    requests: [
      [
        'POST /v1.0/me/todo/lists/l1/tasks',
        {
          title: 'Call Ada',
          importance: 'high',
          body: { contentType: 'html', content: 'About the order' },
          dueDateTime: { dateTime: '2026-01-31T00:00:00', timeZone: 'UTC' },
        },
      ],
    ],
  },
  'mistral-ai': {
    credentials: { mistralCloudApi: { apiKey: 'k1' } },
    requests: [
      [
        'POST /v1/ocr',
        {
          model: 'mistral-ocr-latest',
          document: { type: 'document_url', document_url: 'https://example.com/report.pdf' },
        },
      ],
    ],
  },
  'monday-com': {
    credentials: { mondayComApi: { apiToken: 'token1' } },
    requests: [
      [
        'POST /v2',
        {
          query: expect.stringContaining('create_item ('),
          variables: { boardId: '42', groupId: 'topics', itemName: 'Plan', columnValues: '{"status":{"label":"Done"}}' },
        },
      ],
    ],
  },
  n8n: {
    credentials: { n8nApi: { apiKey: 'key1', baseUrl: 'https://auto.example/api/v1/' } },
    requests: [['GET /api/v1/executions?status=error&workflowId=w1&limit=2']],
  },
  'next-cloud': {
    credentials: {
      nextCloudApi: { webDavUrl: 'https://cloud.example.com/remote.php/webdav', user: 'ada', password: 'p' },
    },
    requests: [['PROPFIND /remote.php/webdav/Invoices%202026']],
  },
  'noco-db': {
    credentials: { nocoDbApiToken: { apiToken: 'token1', host: 'https://noco.example/' } },
    requests: [['POST /api/v2/tables/m1/records', { Name: 'Ada' }]],
  },
  odoo: {
    credentials: { odooApi: { url: 'https://acme.odoo.com/', username: 'ann@acme.test', password: 'key1' } },
    requests: [
      ['POST /jsonrpc', odooCall('common', 'login', ['acme', 'ann@acme.test', 'key1'])],
      [
        'POST /jsonrpc',
        odooCall('object', 'execute_kw', [
          ...['acme', 7, 'key1', 'res.partner', 'create'],
          [{ name: 'Ada Lovelace', email: 'ada@example.com', city: 'Rome' }],
          {},
        ]),
      ],
    ],
  },
  'open-ai': {
    credentials: { openAiApi: { apiKey: 'sk-1' } },
    requests: [
      [
        'POST /v1/chat/completions',
        {
          model: 'gpt-4o-mini',
          messages: [
            { role: 'system', content: 'Be brief.' },
            { role: 'user', content: 'What is the capital of Italy?' },
          ],
          temperature: 0.3,
          max_tokens: 100,
        },
      ],
    ],
  },
  'open-weather-map': {
    credentials: { openWeatherMapApi: { accessToken: 'k1' } },
    requests: [['GET /data/2.5/weather?q=berlin%2Cde&units=metric&lang=en&appid=k1']],
  },
  perplexity: {
    credentials: { perplexityApi: { apiKey: 'pplx-1' } },
    requests: [
      [
        'POST /chat/completions',
        {
          model: 'sonar',
          messages: [
            { role: 'system', content: 'Be brief.' },
            { role: 'user', content: 'Who won the race?' },
          ],
          search_recency_filter: 'day',
        },
      ],
    ],
  },
  'quick-chart': {
    credentials: {},
    requests: [
      [
        'POST /chart',
        {
          version: '2',
          backgroundColor: 'white',
          format: 'png',
          chart: { type: 'bar', data: { labels: ['January', 'February'], datasets: [{ label: 'Sales', data: [120, 60] }] } },
        },
      ],
    ],
  },
  quickbooks: {
    credentials: {
      quickBooksOAuth2Api: connected('t', {
        environment: 'production',
        oauthTokenData: { access_token: 't', callbackQueryString: { realmId: '42' } },
      }),
    },
    requests: [
      [
        'POST /v3/company/42/invoice',
        {
          CustomerRef: { value: '7' },
          BillEmail: { Address: 'ada@example.com' },
          DueDate: '2026-02-01',
          Line: [
            {
              DetailType: 'SalesItemLineDetail',
              Description: 'Work',
              Amount: 120,
              SalesItemLineDetail: { ItemRef: { value: '1' }, TaxCodeRef: { value: 'NON' } },
            },
          ],
        },
      ],
    ],
  },
  reddit: {
    credentials: { redditOAuth2Api: connected('t') },
    requests: [['GET /r/sluice/search?q=queue&restrict_sr=on&sort=new&limit=5']],
  },
  'send-grid': {
    credentials: { sendGridApi: { apiKey: 'k1' } },
    requests: [
      [
        'POST /v3/mail/send',
        {
          personalizations: [{ to: [{ email: 'ada@example.com' }] }],
          from: { email: 'shop@example.com', name: 'Shop' },
          subject: 'Your order',
          content: [{ type: 'text/plain', value: 'Hello Ada, your order is on its way.' }],
        },
      ],
    ],
  },
  'send-in-blue': {
    credentials: { sendInBlueApi: { apiKey: 'k1' } },
    requests: [
      [
        'POST /v3/smtp/email',
        {
          to: [{ email: 'ada@example.com' }],
          sender: { name: 'Shop', email: 'shop@example.com' },
          subject: 'Your order',
          textContent: 'It is on its way.',
        },
      ],
    ],
  },
  'service-now': {
    credentials: { serviceNowBasicApi: { user: 'ann', password: 'p1', subdomain: 'acme' } },
    requests: [
      ['POST /api/now/table/incident', { short_description: 'Mail is down', urgency: '2', caller_id: 'Ada Lovelace' }],
    ],
  },
  spotify: {
    credentials: { spotifyOAuth2Api: connected('t1') },
    requests: [['POST /v1/playlists/37i9dQZF1DX/items', { uris: ['spotify:track:4iV5W9uYEdYUVa79Axb7Rh'] }]],
  },
  supabase: {
    credentials: { supabaseApi: { host: 'https://acme.supabase.co', serviceRole: 'role1' } },
    requests: [['PATCH /rest/v1/tasks?or=%28id.eq.%221%22%29', { status: 'done' }]],
  },
  todoist: {
    credentials: { todoistApi: { apiKey: 'k1' } },
    requests: [
      ['POST /api/v1/tasks', { content: 'Call Ada', project_id: '6P79Pc', due_datetime: '2026-01-31T09:00:00Z', priority: 3 }],
    ],
  },
  trello: {
    credentials: { trelloApi: { apiKey: 'key1', apiToken: 'token1' } },
    requests: [['POST /1/cards', { idList: 'list1', name: 'Plan', desc: 'Ask Ann', due: '2026-02-01' }]],
  },
  twilio: {
    credentials: { twilioApi: { accountSid: 'AC1', authType: 'authToken', authToken: 'secret' } },
    requests: [
      ['POST /2010-04-01/Accounts/AC1/Messages.json', 'From=%2B15005550006&To=%2B14155238886&Body=Your+order+is+on+its+way'],
    ],
  },
  twitter: {
    credentials: { twitterOAuth2Api: connected('t') },
    requests: [['POST /2/tweets', { text: 'Hello' }]],
  },
  wordpress: {
    credentials: { wordpressApi: { username: 'ann', password: 'an application password', url: 'https://blog.example/' } },
    requests: [['POST /wp-json/wp/v2/posts', { title: 'News', content: '<p>Hello</p>', status: 'draft', categories: [3] }]],
  },
  'you-tube': {
    credentials: { youTubeOAuth2Api: connected('ya29') },
    requests: [
      [
        'GET /youtube/v3/search?part=snippet&type=video&channelId=UC1&publishedAfter=2026-01-01T00%3A00%3A00.000Z&order=date&maxResults=2',
      ],
      [
        'GET /youtube/v3/search?part=snippet&type=video&channelId=UC1&publishedAfter=2026-01-01T00%3A00%3A00.000Z&order=date&maxResults=2&pageToken=next',
      ],
    ],
  },
  zendesk: {
    credentials: { zendeskApi: { subdomain: 'acme', email: 'ann@acme.test', apiToken: 'token1' } },
    requests: [
      ['POST /api/v2/tickets', { ticket: { comment: { body: 'It does not start' }, subject: 'Broken', tags: ['web'] } }],
    ],
  },
  'zoho-crm': {
    credentials: {
      zohoOAuth2Api: connected('t1', {
        authUrl: 'https://accounts.zoho.eu/oauth/v2/auth',
        accessTokenUrl: 'https://accounts.zoho.eu/oauth/v2/token',
        oauthTokenData: { access_token: 't1', api_domain: 'https://www.zohoapis.eu' },
      }),
    },
    requests: [
      ['POST /crm/v8/Contacts/upsert', { data: [{ Last_Name: 'Lovelace', Email: 'ada@example.com', Mailing_City: 'Rome' }] }],
    ],
  },
};
