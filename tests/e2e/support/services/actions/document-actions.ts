import { expect } from '@jest/globals';
import { connected } from '../service-requests.ts';
import type { ServiceAction } from './service-action.ts';

/** Services for documents, tables, and files. */
export const documentActions: Readonly<Record<string, ServiceAction>> = {
  'aws-iam': {
    credentials: { aws: { region: 'eu-central-1', accessKeyId: 'AK1', secretAccessKey: 's' } },
    requests: [['POST /', 'Action=ListUsers&Version=2010-05-08&MaxItems=1000']],
  },
  box: {
    credentials: { boxOAuth2Api: connected('t') },
    requests: [['POST /api/2.0/files/content', expect.stringContaining('Remember the milk.')]],
  },
  'google-big-query': {
    credentials: { googleBigQueryOAuth2Api: connected('ya29') },
    requests: [
      [
        'POST /bigquery/v2/projects/acme/queries',
        {
          query: 'SELECT name, COUNT(*) AS orders FROM shop.orders WHERE name = @name GROUP BY name',
          useLegacySql: false,
          timeoutMs: 10_000,
          maxResults: 10_000,
          formatOptions: { useInt64Timestamp: true },
          parameterMode: 'NAMED',
          queryParameters: [{ name: 'name', parameterType: { type: 'STRING' }, parameterValue: { value: 'Ada' } }],
        },
      ],
    ],
  },
  'api-template-io': {
    credentials: { apiTemplateIoApi: { apiKey: 'k1' } },
    requests: [['POST /v2/create-pdf?template_id=abc123', { customer: 'Ada', total: 120 }]],
  },
  baserow: {
    credentials: { baserowApi: { host: 'https://api.baserow.io/', username: 'a@a.test', password: 'p' } },
    requests: [
      ['POST /api/user/token-auth/', { email: 'a@a.test', password: 'p' }],
      ['GET /api/database/fields/table/9/'],
      ['POST /api/database/rows/table/9/', { field_12: 'Ada' }],
    ],
  },
  dropbox: {
    credentials: { dropboxOAuth2Api: connected('t', { accessType: 'folder' }) },
    requests: [['POST /2/files/upload', 'Hello']],
  },
  'google-cloud-storage': {
    credentials: { googleCloudStorageOAuth2Api: connected('ya29') },
    requests: [
      ['POST /upload/storage/v1/b/reports/o?uploadType=resumable', { contentType: 'text/plain', name: '2026/today.txt' }],
      ['PUT /upload/storage/v1/b/reports/o?uploadType=resumable&upload_id=u1', 'Hello'],
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
  supabase: {
    credentials: { supabaseApi: { host: 'https://acme.supabase.co', serviceRole: 'role1' } },
    requests: [['PATCH /rest/v1/tasks?or=%28id.eq.%221%22%29', { status: 'done' }]],
  },
  wordpress: {
    credentials: { wordpressApi: { username: 'ann', password: 'an application password', url: 'https://blog.example/' } },
    requests: [['POST /wp-json/wp/v2/posts', { title: 'News', content: '<p>Hello</p>', status: 'draft', categories: [3] }]],
  },
};
