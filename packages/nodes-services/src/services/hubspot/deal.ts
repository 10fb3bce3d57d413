import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import { collection, names, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Operation, Resource } from '../../shared/define-service.ts';
import { asText } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { listed, namesOf, searchObjects } from './hubspot-client.ts';
import { chosenProperties, idOf, idProperty, listProperties, readFields, searchProperties } from './hubspot-properties.ts';
import { dealFields, fieldProperties, pairs, propertiesOf } from './object-fields.ts';

const dealId = idProperty('dealId', 'Deal ID');
const stage = text('stage', 'Deal Stage', 'ID of the stage');
const versions = toggle(
  'includePropertyVersions',
  'Include Property Versions',
  'Whether to return earlier values of properties',
);
const associations: readonly NodeProperty[] = [
  names('associatedCompany', 'Associated Companies', 'IDs of companies'),
  names('associatedVids', 'Associated Contacts', 'IDs of contacts'),
];
const pathOf = (item: ServiceItem) => `/deals/v1/deal/${idOf(item, 'dealId')}`;

/** https://developers.hubspot.com/docs/api-reference/legacy/deals-v1 */
export const deal: Resource = {
  displayName: 'Deal',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a deal',
      properties: [
        { ...stage, required: true },
        collection('additionalFields', 'Additional Fields', [...associations, ...fieldProperties(dealFields)]),
      ],
      async run(item) {
        const values = await propertiesOf(item, 'additionalFields', dealFields);
        const json = { properties: pairs([['dealstage', item.required('stage')], ...values]), ...associationsOf(item) };
        return item.send({ path: '/deals/v1/deal', json });
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a deal',
      properties: [dealId],
      async run(item) {
        await item.send({ method: 'DELETE', path: pathOf(item) });
        return { deleted: true };
      },
    },
    get: {
      displayName: 'Get',
      description: 'Gets a deal',
      properties: [dealId, collection('additionalFields', 'Additional Fields', [versions])],
      run: (item) => item.send({ path: pathOf(item), query: item.fields('additionalFields') }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists deals',
      properties: [
        ...listProperties,
        collection('filters', 'Filters', [
          toggle('includeAssociations', 'Include Associations', 'Whether to return the companies and contacts of deals'),
          ...readFields,
        ]),
      ],
      run: (item) =>
        listed(
          item,
          { path: '/deals/v1/deal/paged', query: queryOf(item) },
          { list: 'deals', offsets: { offset: 'offset' }, more: 'hasMore', size: ['limit', 250] },
        ),
    },
    getRecentlyCreated: recent('Get Recently Created', 'Lists the deals that were created last', 'created'),
    getRecentlyModified: recent('Get Recently Modified', 'Lists the deals that changed last', 'modified'),
    getRecentlyCreatedUpdated: recent(
      'Get Recently Created/Updated',
      'Lists the deals that were created or changed last',
      'modified',
    ),
    search: {
      displayName: 'Search',
      description: 'Finds deals',
      properties: [...listProperties, ...searchProperties],
      run: (item) => searchObjects(item, 'deals'),
    },
    update: {
      displayName: 'Update',
      description: 'Changes a deal',
      properties: [dealId, collection('updateFields', 'Update Fields', [stage, ...fieldProperties(dealFields)])],
      async run(item) {
        const { stage: chosen } = item.fields('updateFields');
        const own: [string, string][] = chosen === undefined ? [] : [['dealstage', asText(chosen)]];
        const values = [...own, ...(await propertiesOf(item, 'updateFields', dealFields))];
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
      collection('filters', 'Filters', [text('since', 'Since', 'Only those since this time'), versions]),
    ],
    async run(item) {
      const since = await item.time('filters.since');
      const { includePropertyVersions } = item.fields('filters');
      const query: JsonObject = {
        ...(since && { since: since.getTime() }),
        ...(includePropertyVersions !== undefined && { includePropertyVersions }),
      };
      return listed(
        item,
        { path: `/deals/v1/deal/recent/${which}`, query },
        { list: 'results', offsets: { offset: 'offset' }, more: 'hasMore', size: ['count', 100] },
      );
    },
  };
}

function associationsOf(item: ServiceItem): JsonObject {
  const { associatedCompany = [], associatedVids = [] } = item.fields('additionalFields');
  const [companies, contacts] = [namesOf(associatedCompany), namesOf(associatedVids)];
  if (companies.length + contacts.length === 0) return {};
  return {
    associations: {
      ...(companies.length > 0 && { associatedCompanyIds: companies.map(Number) }),
      ...(contacts.length > 0 && { associatedVids: contacts.map(Number) }),
    },
  };
}

function queryOf(item: ServiceItem): JsonObject {
  const { includeAssociations } = item.fields('filters');
  const { names: chosen, withHistory } = chosenProperties(item, 'filters');
  return {
    ...(includeAssociations !== undefined && { includeAssociations }),
    ...(chosen.length > 0 && { [withHistory ? 'propertiesWithHistory' : 'properties']: chosen }),
  };
}
