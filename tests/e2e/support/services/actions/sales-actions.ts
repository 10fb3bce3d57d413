import type { JsonObject, JsonValue } from '@sluice/domain';
import { connected } from '../service-requests.ts';
import type { ServiceAction } from './service-action.ts';

const odooCall = (service: string, method: string, args: JsonValue[]): JsonObject => ({
  jsonrpc: '2.0',
  method: 'call',
  params: { service, method, args },
  id: 1,
});

/** Services for customers, sales, and accounting. */
export const salesActions: Readonly<Record<string, ServiceAction>> = {
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
  'google-contacts': {
    credentials: { googleContactsOAuth2Api: connected('ya29') },
    requests: [
      [
        'POST /v1/people:createContact',
        { names: [{ familyName: 'Lovelace', givenName: 'Ada' }], phoneNumbers: [{ type: 'work', value: '+44 20 7946 0000' }] },
      ],
    ],
  },
  'high-level': {
    credentials: {
      highLevelOAuth2Api: connected('t1', { oauthTokenData: { access_token: 't1', locationId: 'loc1' } }),
    },
    requests: [['POST /contacts/upsert', { locationId: 'loc1', email: 'ada@example.com', firstName: 'Ada', tags: ['web'] }]],
  },
  hunter: {
    credentials: { hunterApi: { apiKey: 'k1' } },
    requests: [['GET /v2/email-verifier?email=ada%40example.com']],
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
