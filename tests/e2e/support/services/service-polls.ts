import type { JsonObject, JsonValue } from '@sluice/domain';
import type { ApiServer } from '@sluice/nodes-services/testing';
import type { FollowingAction } from './hooks/service-hook.ts';
import { connected } from './service-requests.ts';

/** A service that a worker polls for new items. */
export interface ServicePoll {
  /** Credential type → its data. */
  credentials: Readonly<Record<string, JsonObject>>;
  /** Overrides of the parameters in the example. */
  parameters?: JsonObject;
  /** Gives the server items that the first poll finds. Returns a function that adds a new item. */
  fill(server: ApiServer): () => void;
  action: FollowingAction;
}

const located = (value: string) => ({ __rl: true, mode: 'id', value });
const past = new Date(Date.now() - 3_600_000).toISOString();

/** Service → its trigger and an action. */
export const servicePolls: Readonly<Record<string, ServicePoll>> = {
  airtable: {
    credentials: { airtableTokenApi: { accessToken: 'pat1' } },
    fill(server) {
      const record = (id: string, Created: string) => ({ id, createdTime: Created, fields: { Name: id, Created } });
      const records = [record('rec1', '2026-01-01T00:00:00.000Z')];
      server.on('GET /v0/:base/:table', ({ query }) => ({
        json: { records: query['pageSize'] === '1' ? records.slice(0, 1) : records },
      }));
      return () => void records.unshift(record('rec2', '2026-01-02T00:00:00.000Z'));
    },
    action: {
      parameters: {
        authentication: 'airtableTokenApi',
        operation: 'update',
        base: located('app1'),
        table: located('tbl1'),
        columns: {
          mappingMode: 'defineBelow',
          value: { id: '={{ $json.id }}', Name: '=Seen {{ $json.fields.Name }}' },
          matchingColumns: ['id'],
        },
      },
      request: ['PATCH /v0/app1/tbl1/rec2', { fields: { Name: 'Seen rec2' } }],
      items: [{ id: 'rec1', createdTime: '2026-01-01T00:00:00.000Z', fields: { Name: 'Seen rec2' } }],
    },
  },
  gmail: {
    credentials: { gmailOAuth2: connected('ya29') },
    parameters: { filters: {} },
    fill(server) {
      const user = '/gmail/v1/users/me';
      const ids = ['m1'];
      server.on(`GET ${user}/profile`, () => ({ json: { historyId: String(ids.length) } }));
      server.on(`GET ${user}/history`, ({ query }) => {
        const added = ids.slice(Number(query['startHistoryId']));
        const history = added.map((id) => ({ id: String(ids.indexOf(id) + 1), messagesAdded: [{ message: { id } }] }));
        return { json: { history, historyId: String(ids.length) } };
      });
      server.on(`GET ${user}/messages`, () => ({ json: { messages: ids.map((id) => ({ id })) } }));
      server.on(`GET ${user}/messages/:id`, ({ params: { id = '' } }) => ({
        json: { id, internalDate: String(Date.parse(past) + ids.indexOf(id)), labelIds: ['INBOX', 'UNREAD'], payload: {} },
      }));
      return () => void ids.push('m2');
    },
    action: {
      parameters: { operation: 'markAsRead', messageId: '={{ $json.id }}' },
      request: ['POST /gmail/v1/users/me/messages/m2/modify', { removeLabelIds: ['UNREAD'] }],
      items: [{ id: 'm1' }],
    },
  },
  'google-calendar': {
    credentials: { googleCalendarOAuth2Api: connected('ya29') },
    fill(server) {
      const event = (id: string, created: string) => ({ id, status: 'confirmed', summary: 'Lunch', created, updated: created });
      const events = [event('e1', '2026-01-01T00:00:00.000Z')];
      server.on('GET /calendar/v3/calendars/:calendar/events', ({ query }) => ({
        json: { items: events.slice(Number(query['syncToken'] ?? 0)), nextSyncToken: String(events.length) },
      }));
      return () => void events.push(event('e2', '2026-01-02T00:00:00.000Z'));
    },
    action: {
      parameters: {
        operation: 'update',
        calendar: located('primary'),
        eventId: '={{ $json.id }}',
        updateFields: { summary: '={{ $json.summary }} with Ada' },
      },
      request: ['PATCH /calendar/v3/calendars/primary/events/e2', { summary: 'Lunch with Ada' }],
      items: [{ id: 'e2', summary: 'Lunch with Ada' }],
    },
  },
  'google-drive': {
    credentials: { googleDriveOAuth2Api: connected('ya29') },
    fill(server) {
      const file = (id: string) => ({
        id,
        name: `${id}.pdf`,
        mimeType: 'application/pdf',
        parents: ['folder1'],
        trashed: false,
        modifiedTime: '2026-01-02T00:00:00.000Z',
      });
      const files = [file('f1')];
      server.on('GET /drive/v3/files', () => ({ json: { files } }));
      server.on('GET /drive/v3/files/:id', ({ params: { id = '' } }) => ({
        json: files.find((one) => one.id === id) ?? { id, modifiedTime: '2026-01-01T00:00:00.000Z' },
      }));
      server.on('GET /drive/v3/changes/startPageToken', () => ({ json: { startPageToken: String(files.length) } }));
      server.on('GET /drive/v3/changes', ({ query }) => ({
        json: {
          changes: files.slice(Number(query['pageToken'])).map((one) => ({ fileId: one.id, removed: false, file: one })),
          newStartPageToken: String(files.length),
        },
      }));
      return () => void files.push(file('f2'));
    },
    action: {
      parameters: { operation: 'copy', fileId: located('={{ $json.id }}'), name: '=Copy of {{ $json.name }}', options: {} },
      request: ['POST /drive/v3/files/f2/copy?fields=*&supportsAllDrives=true', { name: 'Copy of f2.pdf' }],
      items: [{ id: 'f8', name: 'Copy of f2.pdf' }],
    },
  },
  'google-sheets': {
    credentials: { googleSheetsTriggerOAuth2Api: connected('ya29'), googleSheetsOAuth2Api: connected('ya29') },
    fill(server) {
      const sheets = {
        People: [
          ['Name', 'Age'],
          ['Ada', 36],
        ],
        Log: [['Name', 'Age']],
      };
      Object.assign(server, { sheets });
      return () => void sheets.People.push(['Bob', 40]);
    },
    action: {
      parameters: {
        operation: 'append',
        documentId: located('doc1'),
        sheetName: { __rl: true, mode: 'name', value: 'Log' },
        columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [] },
        options: { handlingExtraData: 'ignoreIt' },
      },
      request: [
        "POST /v4/spreadsheets/doc1/values/'Log'!A1%3AB:append?valueInputOption=USER_ENTERED&insertDataOption=INSERT_ROWS",
        { values: [['Bob', 40]] },
      ],
      items: [{ Name: 'Bob', Age: 40 }],
    },
  },
  'microsoft-outlook': {
    credentials: { microsoftOutlookOAuth2Api: connected('t') },
    parameters: { filters: {} },
    fill(server) {
      const mail = (id: string, at: string) => ({
        id,
        internetMessageId: `<${id}>`,
        subject: 'Hi',
        from: { emailAddress: { address: 'ada@example.com' } },
        toRecipients: [],
        categories: [],
        receivedDateTime: at,
      });
      const mails = [mail('m1', past)];
      server.on('GET /v1.0/me/mailFolders/:id', () => ({ json: { id: 'sent1' } }));
      server.on('GET /v1.0/me/messages', ({ query }) => {
        const [, since = past] = /receivedDateTime ge ([\w.:-]+)/.exec(String(query['$filter'])) ?? [];
        return { json: { value: mails.filter(({ receivedDateTime }) => receivedDateTime >= since) } };
      });
      return () => void mails.push(mail('m2', new Date(Date.now()).toISOString()));
    },
    action: {
      parameters: { operation: 'move', messageId: '={{ $json.id }}', folderId: located('f1') },
      request: ['POST /v1.0/me/messages/m2/move', { destinationId: 'f1' }],
      items: [{ id: 'm2', parentFolderId: 'f1' }],
    },
  },
  notion: {
    credentials: { notionApi: { apiKey: 'secret1' } },
    fill(server) {
      const page = (id: string, at: string): JsonValue => ({
        object: 'page',
        id,
        created_time: at,
        last_edited_time: at,
        parent: { type: 'database_id', database_id: '0123456789abcdef0123456789abcdef' },
        url: `https://www.notion.so/${id}`,
        properties: {},
      });
      const pages = [page('p1', past)];
      server.on('PATCH /v1/pages/:id', ({ params }) => ({ json: { object: 'page', id: params['id'] } }));
      server.on('POST /v1/databases/:id/query', ({ body }) => {
        const { filter } = body as { filter?: { created_time: { on_or_after: string } } };
        const since = filter?.created_time.on_or_after ?? '';
        const results = pages.filter((one) => String((one as JsonObject)['created_time']) >= since);
        return { headers: { date: new Date().toUTCString() }, json: { results, has_more: false, next_cursor: null } };
      });
      return () => void pages.push(page('p2', `${new Date().toISOString().slice(0, 16)}:00.000Z`));
    },
    action: {
      parameters: {
        resource: 'databasePage',
        operation: 'update',
        pageId: located('={{ $json.id }}'),
        simple: false,
        propertiesUi: { propertyValues: [{ key: 'Seen|checkbox', checkboxValue: true }] },
      },
      request: ['PATCH /v1/pages/p2', { properties: { Seen: { checkbox: true } } }],
      items: [{ object: 'page', id: 'p2' }],
    },
  },
  salesforce: {
    credentials: {
      salesforceOAuth2Api: connected('t1', {
        oauthTokenData: { access_token: 't1', instance_url: 'https://acme.my.salesforce.com' },
      }),
    },
    fill(server) {
      const lead = (Id: string, CreatedDate: string) => ({ Id, CreatedDate, LastModifiedDate: CreatedDate, Name: Id });
      const leads = [lead('00Q1', '2026-01-01T00:00:00.000+0000')];
      server.on('GET /services/data/v62.0/query', ({ query }) => {
        const known = /Id > '(\w+)'/.exec(String(query['q']))?.[1];
        const records = known === undefined ? leads.slice(-1) : leads.filter(({ Id }) => Id > known);
        return { json: { totalSize: records.length, done: true, records } };
      });
      return () => void leads.push(lead('00Q2', '2026-01-02T00:00:00.000+0000'));
    },
    action: {
      parameters: { resource: 'lead', operation: 'get', leadId: '={{ $json.Id }}' },
      request: ['GET /services/data/v62.0/sobjects/Lead/00Q2'],
      items: [{ Id: '00Q2' }],
    },
  },
};
