import type { MethodContext, NodePropertyOption, NodeType } from '@sluice/node-sdk';
import { choicesFrom } from '../../shared/list-choices.ts';
import { onePage, sendAll } from '../../shared/paging.ts';
import { pages, pipedriveClient } from './pipedrive-client.ts';

/** Maximum number of choices in an editor list. */
const maxOptions = 5_000;

/** Method → list, and the element members that contain name and value. */
const lists = {
  getActivityTypes: ['/api/v1/activityTypes', 'name', 'key_string'],
  getFilters: ['/api/v1/filters', 'name', 'id'],
  getOrganizationIds: ['/api/v2/organizations', 'name', 'id'],
  getPersonIds: ['/api/v2/persons', 'name', 'id'],
  getPipelineIds: ['/api/v2/pipelines', 'name', 'id'],
  getProductIds: ['/api/v2/products', 'name', 'id'],
  getStageIds: ['/api/v2/stages', 'name', 'id'],
  getUserIds: ['/api/v1/users', 'name', 'id'],
} as const satisfies Record<string, readonly [path: string, name: string, value: string]>;

type LoadOptions = NonNullable<NonNullable<NodeType['methods']>['loadOptions']>;

export const pipedriveOptions: LoadOptions = Object.fromEntries(
  Object.entries(lists).map(([method, [path, name, value]]) => [
    method,
    async (context: MethodContext): Promise<NodePropertyOption[]> => {
      const hasPages = path.startsWith('/api/v2/');
      const request = { path, ...(hasPages && { query: { limit: 500 } }) };
      const records = await sendAll(pipedriveClient, context, request, hasPages ? pages : onePage('data'), maxOptions);
      return choicesFrom(records, name, value);
    },
  ]),
);

/** The choices of a property. */
export const chosenFrom = (method: keyof typeof lists) => ({ typeOptions: { loadOptionsMethod: method } });
