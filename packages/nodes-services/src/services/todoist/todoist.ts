import type { JsonObject, MethodContext, NodePropertyOption } from '@sluice/node-sdk';
import { choice, choices, where } from '@sluice/nodes-base/node-tools';
import { defineService } from '../../shared/define-service.ts';
import { choicesFrom, matching } from '../../shared/list-choices.ts';
import { sendAll } from '../../shared/paging.ts';
import { chosenId } from '../../shared/service-item.ts';
import { task } from './task.ts';
import { locatedVersions, pageSize, pages, todoistClient } from './todoist-client.ts';

const maxChoices = 2_000;

export const todoist = defineService({
  displayName: 'Todoist',
  name: 'todoist',
  version: [1, ...locatedVersions],
  defaultVersion: 2.1,
  description: 'Reads and changes tasks in Todoist',
  credentials: [
    { name: 'todoistApi', required: true, ...where({ authentication: ['apiKey'] }) },
    { name: 'todoistOAuth2Api', required: true, ...where({ authentication: ['oAuth2'] }) },
  ],
  icon: 'fa:check',
  iconColor: 'red',
  client: todoistClient,
  leading: [choice('authentication', 'Authentication', choices(['apiKey', 'API Key'], ['oAuth2', 'OAuth2']))],
  resources: { task },
  methods: {
    listSearch: {
      searchProjects: async (context, filter) => matching(await choicesOf(context, '/projects'), filter),
    },
    loadOptions: {
      getLabels: async (context) => choicesFrom(await listOf(context, '/labels'), 'name', 'name'),
      getProjects: (context) => choicesOf(context, '/projects'),
      getSections: (context) => choicesOf(context, '/sections', { project_id: chosenId(context, 'project') }),
    },
  },
});

const choicesOf = async (
  context: MethodContext,
  path: string,
  query: JsonObject = {},
): Promise<(NodePropertyOption & { value: string })[]> => choicesFrom(await listOf(context, path, query));

const listOf = (context: MethodContext, path: string, query: JsonObject = {}): Promise<JsonObject[]> =>
  sendAll(todoistClient, context, { path, query: { ...query, limit: pageSize } }, pages, maxChoices);
