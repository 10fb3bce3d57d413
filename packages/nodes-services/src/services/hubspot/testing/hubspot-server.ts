import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const digits = { type: 'string', pattern: '^[0-9]+$' };
const names = { anyOf: [text, { type: 'array', items: text }] };
const flag = { enum: ['true', 'false'] };
const numbers = { type: 'array', items: { type: 'integer' } };
const named = { type: 'array', items: fields({ 'name!': text, 'value!': { type: 'string' } }) };
const properties = fields({ 'properties!': named });
const filter = fields({
  'propertyName!': { type: 'string', pattern: '^[a-z_0-9]+$' },
  'operator!': text,
  value: { type: 'string' },
  values: { type: 'array', items: text },
  highValue: text,
});
const search = fields({
  'filterGroups!': { type: 'array', items: fields({ 'filters!': { type: 'array', items: filter } }) },
  sorts: { type: 'array', items: fields({ 'propertyName!': text, 'direction!': { enum: ['ASCENDING', 'DESCENDING'] } }) },
  'limit!': { type: 'integer', minimum: 1, maximum: 100 },
  query: text,
  properties: { type: 'array', items: text },
  after: text,
});
const person = fields({ 'email!': text, firstName: text, lastName: text });
const people = { type: 'array', items: person };

export const profile = { vid: 51, properties: { firstname: { value: 'Ada' } } };

const one = (json: unknown, query = {}): ApiRoute => ({ query: fields(query), answer: () => ({ json }) });
const list = (name: string, size: string, query: object, more: object = { hasMore: false }): ApiRoute => ({
  query: fields({ [`${size}!`]: digits, ...query }),
  answer: () => ({ json: { [name]: [{ id: 1 }, { id: 2 }], ...more } }),
});

/**
 * https://developers.hubspot.com/docs/api-reference/legacy, and searches of version 3, for the
 * token `pat1`.
 */
export function hubspotServer(): Promise<ApiServer> {
  const contactQuery = {
    property: names,
    propertyMode: { enum: ['value_only', 'value_and_history'] },
    formSubmissionMode: text,
    showListMemberships: flag,
  };
  const contacts = { ...contactQuery, vidOffset: digits };
  const searchRoute: ApiRoute = { body: search, answer: () => ({ json: { total: 1, results: [{ id: '51' }] } }) };
  const members: ApiRoute = {
    body: { oneOf: [fields({ 'emails!': { type: 'array', items: text } }), fields({ 'vids!': numbers })] },
    answer: () => ({ json: { updated: [51] } }),
  };
  const written = (json: unknown, body: object = properties): ApiRoute => ({ body, answer: () => ({ json }) });
  const recent = { offset: digits, since: digits };
  return apiServer({
    baseUrl: 'https://api.hubapi.com',
    headers: { authorization: /^Bearer pat1$/ },
    routes: {
      'POST /contacts/v1/contact/createOrUpdate/email/:email': written(
        { vid: 51, isNew: true },
        fields({ 'properties!': { type: 'array', items: fields({ 'property!': text, 'value!': { type: 'string' } }) } }),
      ),
      'GET /contacts/v1/contact/vid/:id/profile': one(profile, contactQuery),
      'DELETE /contacts/v1/contact/vid/:id': { answer: () => ({ json: { vid: 51, deleted: true } }) },
      'GET /contacts/v1/lists/all/contacts/all': list('contacts', 'count', contacts, { 'has-more': false }),
      'GET /contacts/v1/lists/recently_updated/contacts/recent': list(
        'contacts',
        'count',
        { ...contacts, timeOffset: digits },
        { 'has-more': false },
      ),
      'POST /contacts/v1/lists/:id/add': members,
      'POST /contacts/v1/lists/:id/remove': members,
      'POST /crm/v3/objects/contacts/search': searchRoute,
      'POST /crm/v3/objects/deals/search': searchRoute,
      'POST /companies/v2/companies': written({ companyId: 7 }),
      'PUT /companies/v2/companies/:id': written({ companyId: 7 }),
      'GET /companies/v2/companies/paged': list(
        'companies',
        'limit',
        { offset: digits, properties: names, propertiesWithHistory: names, includeMergeAudits: flag },
        { 'has-more': false },
      ),
      'GET /companies/v2/companies/recent/:which': list('results', 'count', recent),
      'GET /companies/v2/companies/:id': one({ companyId: 7 }, { includeMergeAudits: flag }),
      'DELETE /companies/v2/companies/:id': { answer: () => ({ json: { companyId: 7, deleted: true } }) },
      'POST /companies/v2/domains/:domain/companies': {
        body: fields({
          'limit!': { type: 'integer', minimum: 1, maximum: 100 },
          'offset!': { type: 'object' },
          'requestOptions!': fields({ 'properties!': { type: 'array', items: text } }),
        }),
        answer: () => ({ json: { results: [{ companyId: 7 }], hasMore: false } }),
      },
      'POST /deals/v1/deal': written(
        { dealId: 9 },
        fields({ 'properties!': named, associations: fields({ associatedCompanyIds: numbers, associatedVids: numbers }) }),
      ),
      'PUT /deals/v1/deal/:id': written({ dealId: 9 }),
      'GET /deals/v1/deal/paged': list('deals', 'limit', {
        offset: digits,
        properties: names,
        propertiesWithHistory: names,
        includeAssociations: flag,
      }),
      'GET /deals/v1/deal/recent/:which': list('results', 'count', { ...recent, includePropertyVersions: flag }),
      'GET /deals/v1/deal/:id': one({ dealId: 9 }, { includePropertyVersions: flag }),
      'DELETE /deals/v1/deal/:id': { answer: () => ({ status: 204 }) },
      'POST /engagements/v1/engagements': written(
        { engagement: { id: 3 } },
        fields({
          'engagement!': fields({
            'type!': { enum: ['CALL', 'EMAIL', 'MEETING', 'NOTE', 'TASK'] },
            ownerId: {},
            timestamp: { type: 'integer' },
          }),
          'associations!': fields({
            companyIds: numbers,
            contactIds: numbers,
            dealIds: numbers,
            ownerIds: numbers,
            ticketIds: numbers,
          }),
          'metadata!': fields({
            body: text,
            subject: text,
            title: text,
            status: text,
            forObjectType: text,
            html: text,
            from: person,
            to: people,
            cc: people,
            bcc: people,
            startTime: { type: 'integer' },
            endTime: { type: 'integer' },
          }),
        }),
      ),
      'GET /engagements/v1/engagements/paged': list('results', 'limit', { offset: digits }),
      'GET /engagements/v1/engagements/:id': one({ engagement: { id: 3 } }),
      'DELETE /engagements/v1/engagements/:id': { answer: () => ({ status: 204 }) },
      'POST /crm-objects/v1/objects/tickets': written({ objectId: 4 }, named),
      'PUT /crm-objects/v1/objects/tickets/:id': written({ objectId: 4 }, named),
      'GET /crm-objects/v1/objects/tickets/paged': list('objects', 'limit', {
        offset: digits,
        properties: names,
        propertiesWithHistory: names,
        includeDeleted: flag,
      }),
      'GET /crm-objects/v1/objects/tickets/:id': one(
        { objectId: 4 },
        { properties: names, propertiesWithHistory: names, includeDeleted: flag },
      ),
      'DELETE /crm-objects/v1/objects/tickets/:id': { answer: () => ({ status: 204 }) },
      'PUT /crm-associations/v1/associations': {
        body: fields({
          'fromObjectId!': { type: 'integer' },
          'toObjectId!': { type: 'integer' },
          'category!': { const: 'HUBSPOT_DEFINED' },
          'definitionId!': { enum: [16, 26] },
        }),
        answer: () => ({ status: 204 }),
      },
    },
  });
}
