import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };
const data = '/services/data/v62.0';
const sobjects = `${data}/sobjects`;
const base64 = { type: 'string', pattern: '^[\\w+/]+=*$' };
/** API names start with a capital. */
const record = { type: 'object', minProperties: 1, patternProperties: { '^[A-Z]\\w*$': {} }, additionalProperties: false };
const day = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' };
const created = (id: string) => ({ status: 201, json: { id, success: true, errors: [] } });

const described = [
  { name: 'Name', label: 'Name', type: 'string' },
  { name: 'Amount', label: 'Amount', type: 'currency' },
  { name: 'CreatedDate', label: 'Created', type: 'datetime' },
  { name: 'IsActive__c', label: 'Active', type: 'boolean', custom: true },
  { name: 'Key__c', label: 'Key', type: 'string', custom: true, externalId: true },
];

/**
 * https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/, for the token `t1` of
 * the organization `acme`.
 */
export function salesforceServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://acme.my.salesforce.com',
    headers: { authorization: /^Bearer t1$/ },
    routes: {
      [`GET ${data}/query`]: {
        query: fields({ 'q!': { type: 'string', pattern: '^SELECT ' } }),
        answer: () => ({
          json: { totalSize: 2, done: false, nextRecordsUrl: `${data}/query/c1-2000`, records: [{ Id: '1' }] },
        }),
      },
      [`GET ${data}/query/:cursor`]: { answer: () => ({ json: { totalSize: 2, done: true, records: [{ Id: '2' }] } }) },
      [`GET ${sobjects}`]: {
        answer: () => ({
          json: {
            sobjects: [
              { name: 'Account', label: 'Account', custom: false },
              { name: 'Site__c', label: 'Site', custom: true },
            ],
          },
        }),
      },
      [`POST ${sobjects}/Note`]: {
        body: fields({ 'Title!': text, 'ParentId!': text, Body: text, IsPrivate: flag, OwnerId: text }),
        answer: () => created('002'),
      },
      [`POST ${sobjects}/CampaignMember`]: {
        body: {
          ...fields({ LeadId: text, ContactId: text, 'CampaignId!': text, Status: text }),
          minProperties: 2,
        },
        answer: () => created('00v'),
      },
      [`POST ${sobjects}/CaseComment`]: {
        body: fields({ 'ParentId!': text, CommentBody: text, IsPublished: flag }),
        answer: () => created('00a'),
      },
      [`POST ${sobjects}/Attachment`]: {
        body: fields({ 'Name!': text, 'ParentId!': text, 'Body!': base64, Description: text, IsPrivate: flag, OwnerId: text }),
        answer: () => created('00P'),
      },
      [`POST ${sobjects}/ContentVersion`]: {
        body: fields({
          'Title!': text,
          'ContentLocation!': { const: 'S' },
          'PathOnClient!': text,
          'VersionData!': base64,
          FirstPublishLocationId: text,
          OwnerId: text,
        }),
        answer: () => created('068'),
      },
      [`POST ${sobjects}/Opportunity`]: {
        body: { ...record, required: ['Name', 'CloseDate', 'StageName'], properties: { CloseDate: day } },
        answer: () => created('006'),
      },
      [`POST ${sobjects}/:sobject`]: { body: record, answer: () => created('00Q1') },
      [`GET ${sobjects}/:sobject`]: { answer: ({ params }) => ({ json: { objectDescribe: { name: params['sobject'] } } }) },
      [`GET ${sobjects}/:sobject/describe`]: { answer: () => ({ json: { fields: described } }) },
      [`GET ${sobjects}/:sobject/:id`]: { answer: ({ params }) => ({ json: { Id: params['id'] } }) },
      [`PATCH ${sobjects}/:sobject/:id`]: { body: record, answer: () => ({ status: 204 }) },
      [`DELETE ${sobjects}/:sobject/:id`]: { answer: () => ({ status: 204 }) },
      [`PATCH ${sobjects}/:sobject/:field/:value`]: {
        body: record,
        answer: () => ({ status: 201, json: { id: '001', success: true, errors: [], created: true } }),
      },
      [`GET ${data}/actions/custom/flow`]: { answer: () => ({ json: { actions: [{ name: 'A' }, { name: 'B' }] } }) },
      [`POST ${data}/actions/custom/flow/:name`]: {
        body: fields({ 'inputs!': { type: 'array', items: { type: 'object' } } }),
        answer: ({ params }) => ({ json: [{ actionName: params['name'], isSuccess: true }] }),
      },
    },
  });
}
