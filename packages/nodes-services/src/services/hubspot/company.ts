import type { JsonObject } from '@sluice/node-sdk';
import { collection, options, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Operation, Resource } from '../../shared/define-service.ts';
import { asText, objectOf } from '../../shared/json-values.ts';
import type { Paging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { listed } from './hubspot-client.ts';
import { chosenProperties, idOf, idProperty, listProperties, readFields } from './hubspot-properties.ts';
import { companyFields, fieldProperties, pairs, propertiesOf } from './object-fields.ts';

const companyId = idProperty('companyId', 'Company ID');
const name = text('name', 'Name', 'Name of the company');
const pathOf = (item: ServiceItem) => `/companies/v2/companies/${idOf(item, 'companyId')}`;

/** https://developers.hubspot.com/docs/api-reference/legacy/companies-v2 */
export const company: Resource = {
  displayName: 'Company',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a company',
      properties: [
        { ...name, required: true },
        collection('additionalFields', 'Additional Fields', fieldProperties(companyFields)),
      ],
      async run(item) {
        const values = await propertiesOf(item, 'additionalFields', companyFields);
        return item.send({
          path: '/companies/v2/companies',
          json: { properties: pairs([['name', item.required('name')], ...values]) },
        });
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a company',
      properties: [companyId],
      run: (item) => item.send({ method: 'DELETE', path: pathOf(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a company',
      properties: [
        companyId,
        collection('additionalFields', 'Additional Fields', [
          toggle('includeMergeAudits', 'Include Merge Audits', 'Whether to return the companies that were merged into it'),
        ]),
      ],
      run: (item) => item.send({ path: pathOf(item), query: item.fields('additionalFields') }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists companies',
      properties: [
        ...listProperties,
        options([
          toggle('includeMergeAudits', 'Include Merge Audits', 'Whether to return the companies that were merged into each'),
          ...readFields,
        ]),
      ],
      run: (item) =>
        listed(
          item,
          { path: '/companies/v2/companies/paged', query: queryOf(item) },
          { list: 'companies', offsets: { offset: 'offset' }, more: 'has-more', size: ['limit', 250] },
        ),
    },
    getRecentlyCreated: recent('Get Recently Created', 'Lists the companies that were created last', 'created'),
    getRecentlyModified: recent('Get Recently Modified', 'Lists the companies that changed last', 'modified'),
    getRecentlyCreatedUpdated: recent(
      'Get Recently Created/Updated',
      'Lists the companies that were created or changed last',
      'modified',
    ),
    searchByDomain: {
      displayName: 'Search by Domain',
      description: 'Finds companies by the domain of their website',
      properties: [
        text('domain', 'Domain', 'The domain, such as `acme.com`', { required: true }),
        ...listProperties,
        options([...readFields.filter((property) => property.name !== 'propertiesWithHistory')]),
      ],
      run: byDomain,
    },
    update: {
      displayName: 'Update',
      description: 'Changes a company',
      properties: [companyId, collection('updateFields', 'Update Fields', [name, ...fieldProperties(companyFields)])],
      async run(item) {
        const { name: title } = item.fields('updateFields');
        const own: [string, string][] = title === undefined ? [] : [['name', asText(title)]];
        const values = [...own, ...(await propertiesOf(item, 'updateFields', companyFields))];
        return item.send({ method: 'PUT', path: pathOf(item), json: { properties: pairs(values) } });
      },
    },
  },
};

function recent(displayName: string, description: string, which: string): Operation {
  return {
    displayName,
    description,
    properties: [
      ...listProperties,
      collection('additionalFields', 'Additional Fields', [text('since', 'Since', 'Only those since this time')]),
    ],
    async run(item) {
      const since = await item.time('additionalFields.since');
      return listed(
        item,
        { path: `/companies/v2/companies/recent/${which}`, query: since ? { since: since.getTime() } : {} },
        { list: 'results', offsets: { offset: 'offset' }, more: 'hasMore', size: ['count', 250] },
      );
    },
  };
}

function queryOf(item: ServiceItem): JsonObject {
  const { includeMergeAudits } = item.fields('options');
  const { names, withHistory } = chosenProperties(item, 'options');
  return {
    ...(includeMergeAudits !== undefined && { includeMergeAudits }),
    ...(names.length > 0 && { [withHistory ? 'propertiesWithHistory' : 'properties']: names }),
  };
}

const domainPageSize = 100;

const byOffset: Paging = {
  list: 'results',
  next: ({ body }) => {
    const { hasMore, offset } = objectOf(body);
    return hasMore === true && offset !== undefined ? { json: { offset } } : undefined;
  },
};

function byDomain(item: ServiceItem): Promise<JsonObject[]> {
  const limit = item.limit(100);
  const { names } = chosenProperties(item, 'options');
  const json = {
    limit: Math.min(limit, domainPageSize),
    offset: { isPrimary: true, companyId: 0 },
    requestOptions: { properties: names.length > 0 ? names : ['name', 'domain', 'createdate', 'hs_lastmodifieddate'] },
  };
  const path = `/companies/v2/domains/${encodeURIComponent(item.required('domain'))}/companies`;
  return item.list({ path, json }, byOffset, limit);
}
