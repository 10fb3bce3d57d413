import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import { collection, names, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { asText, objectOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { listed, namesOf } from './hubspot-client.ts';
import { chosenProperties, idOf, idProperty, listProperties, readFields } from './hubspot-properties.ts';
import { fieldProperties, pairs, propertiesOf, ticketFields } from './object-fields.ts';

const ticketId = idProperty('ticketId', 'Ticket ID');
const main: readonly NodeProperty[] = [
  text('pipelineId', 'Pipeline ID', 'ID of the pipeline'),
  text('stageId', 'Stage ID', 'ID of the stage in the pipeline'),
  text('ticketName', 'Ticket Name', 'Subject of the ticket'),
];
const associations: readonly NodeProperty[] = [
  names('associatedCompanyIds', 'Associated Companies', 'IDs of companies'),
  names('associatedContactIds', 'Associated Contacts', 'IDs of contacts'),
];
const additionalFields = collection('additionalFields', 'Additional Fields', [
  toggle('includeDeleted', 'Include Deleted', 'Whether deleted tickets are returned, too'),
  ...readFields,
]);
const tickets = '/crm-objects/v1/objects/tickets';
const pathOf = (item: ServiceItem) => `${tickets}/${idOf(item, 'ticketId')}`;

/**
 * Associations of a ticket:
 * https://developers.hubspot.com/docs/api-reference/legacy/crm-associations-v1
 */
const definitions = { associatedContactIds: 16, associatedCompanyIds: 26 } as const;

/** https://developers.hubspot.com/docs/api-reference/legacy/tickets-v1 */
export const ticket: Resource = {
  displayName: 'Ticket',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a ticket',
      properties: [
        ...main.map((property) => ({ ...property, required: true })),
        collection('additionalFields', 'Additional Fields', [...associations, ...fieldProperties(ticketFields)]),
      ],
      async run(item) {
        const own: [string, string][] = [
          ['hs_pipeline', item.required('pipelineId')],
          ['hs_pipeline_stage', item.required('stageId')],
          ['subject', item.required('ticketName')],
        ];
        const json = pairs([...own, ...(await propertiesOf(item, 'additionalFields', ticketFields))]);
        const created = objectOf(await item.send({ path: tickets, json }));
        await associate(item, created);
        return created;
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a ticket',
      properties: [ticketId],
      run: (item) => item.perform({ method: 'DELETE', path: pathOf(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a ticket',
      properties: [ticketId, additionalFields],
      run: (item) => item.send({ path: pathOf(item), query: queryOf(item) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists tickets',
      properties: [...listProperties, additionalFields],
      run: (item) =>
        listed(
          item,
          { path: `${tickets}/paged`, query: queryOf(item) },
          { list: 'objects', offsets: { offset: 'offset' }, more: 'hasMore', size: ['limit', 100] },
        ),
    },
    update: {
      displayName: 'Update',
      description: 'Changes a ticket',
      properties: [
        ticketId,
        collection('updateFields', 'Update Fields', [...main, ...associations, ...fieldProperties(ticketFields)]),
      ],
      async run(item) {
        const { pipelineId, stageId, ticketName } = item.fields('updateFields');
        const own = Object.entries({ hs_pipeline: pipelineId, hs_pipeline_stage: stageId, subject: ticketName });
        const values = own.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, asText(value)]]));
        const json = pairs([...values, ...(await propertiesOf(item, 'updateFields', ticketFields))]);
        const changed = objectOf(await item.send({ method: 'PUT', path: pathOf(item), json }));
        await associate(item, changed, 'updateFields');
        return changed;
      },
    },
  },
};

async function associate(item: ServiceItem, { objectId = null }: JsonObject, path = 'additionalFields'): Promise<void> {
  const fields = item.fields(path);
  for (const [name, definitionId] of Object.entries(definitions)) {
    for (const id of namesOf(fields[name] ?? [])) {
      const json = { fromObjectId: objectId, toObjectId: Number(id), category: 'HUBSPOT_DEFINED', definitionId };
      await item.send({ method: 'PUT', path: '/crm-associations/v1/associations', json });
    }
  }
}

function queryOf(item: ServiceItem): JsonObject {
  const { includeDeleted } = item.fields('additionalFields');
  const { names: chosen, withHistory } = chosenProperties(item, 'additionalFields');
  const wanted = chosen.length > 0 ? chosen : ['subject', 'content', 'hs_pipeline', 'hs_pipeline_stage'];
  return {
    [withHistory && chosen.length > 0 ? 'propertiesWithHistory' : 'properties']: wanted,
    ...(includeDeleted !== undefined && { includeDeleted }),
  };
}
