import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, number, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import {
  contactId,
  contactIdOf,
  customFields,
  customFieldsIn,
  encoded,
  id,
  listed,
  listProperties,
  locationOf,
  sendFor,
} from './high-level-client.ts';

const pipelines = { typeOptions: { loadOptionsMethod: 'getPipelines' } };
const users = { typeOptions: { loadOptionsMethod: 'getUsers' } };
const statuses = choices(['open', 'Open'], ['won', 'Won'], ['lost', 'Lost'], ['abandoned', 'Abandoned']);
const stageId = text('stageId', 'Stage Name or ID', 'ID of the stage of the pipeline', {
  typeOptions: { loadOptionsMethod: 'getPipelineStages' },
});
const written: readonly NodeProperty[] = [
  text('assignedTo', 'Assigned To', 'ID of the user', users),
  customFields,
  number('monetaryValue', 'Monetary Value', 0, 'Value in the currency of the location'),
  stageId,
  choice('status', 'Status', statuses),
];
const changed = [
  text('name', 'Name', 'Name of the opportunity'),
  text('pipelineId', 'Pipeline Name or ID', 'ID of the pipeline', pipelines),
  ...written,
];
const opportunityId = id('opportunityId', 'Opportunity ID', 'ID of the opportunity');

/** https://marketplace.gohighlevel.com/docs/ghl/opportunities/opportunities */
export const opportunity: Resource = {
  displayName: 'Opportunity',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates an opportunity',
      properties: [
        text('pipelineId', 'Pipeline Name or ID', 'ID of the pipeline', { required: true, ...pipelines }),
        contactId,
        text('name', 'Name', 'Name of the opportunity', { required: true }),
        collection('additionalFields', 'Additional Fields', written),
      ],
      async run(item) {
        const own = { pipelineId: item.id('pipelineId').trim(), name: item.required('name'), status: 'open' };
        const place = { contactId: await contactIdOf(item), locationId: await locationOf(item.access) };
        const json = { ...own, ...place, ...opportunityOf(item, 'additionalFields') };
        return sendFor(item, { path: '/opportunities/', json }, 'opportunity');
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes an opportunity',
      properties: [opportunityId],
      run: (item) => item.perform({ method: 'DELETE', path: pathOf(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets an opportunity, in the member `opportunity`',
      properties: [opportunityId],
      run: (item) => item.send({ path: pathOf(item) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists opportunities',
      properties: [
        ...listProperties,
        collection('filters', 'Filters', [
          text('assignedTo', 'Assigned To', 'ID of the user', users),
          text('contactId', 'Contact ID', 'ID of the contact'),
          text('pipelineId', 'Pipeline Name or ID', 'ID of the pipeline', pipelines),
          text('query', 'Query', 'Text to search for'),
          text('stageId', 'Stage ID', 'ID of the stage'),
          choice('status', 'Status', [...statuses, { value: 'all', name: 'All' }]),
        ]),
      ],
      async run(item) {
        const { assignedTo, contactId: contact, pipelineId, query: q, stageId: stage, status } = item.fields('filters');
        const query = {
          location_id: await locationOf(item.access),
          assigned_to: assignedTo,
          contact_id: contact,
          pipeline_id: pipelineId,
          pipeline_stage_id: stage,
          q,
          status,
        };
        return listed(item, '/opportunities/search', query, 'opportunities');
      },
    },
    update: {
      displayName: 'Update',
      description: 'Changes an opportunity; fields that are not set are kept',
      properties: [opportunityId, collection('updateFields', 'Update Fields', changed)],
      run: (item) =>
        sendFor(item, { method: 'PUT', path: pathOf(item), json: opportunityOf(item, 'updateFields') }, 'opportunity'),
    },
  },
};

const pathOf = (item: ServiceItem): string => `/opportunities/${encoded(item, 'opportunityId')}`;

function opportunityOf(item: ServiceItem, path: string): JsonObject {
  const { customFields: _, stageId: stage, ...fields } = item.typedFields(path, changed);
  return { ...fields, ...(stage !== undefined && { pipelineStageId: stage }), ...customFieldsIn(item, path) };
}
