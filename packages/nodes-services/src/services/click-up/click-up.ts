import type { MethodContext, NodePropertyOption } from '@sluice/node-sdk';
import { choice, choices, where } from '@sluice/nodes-base/node-tools';
import { defineService } from '../../shared/define-service.ts';
import { objectOf, objectsOf } from '../../shared/json-values.ts';
import { choicesFrom } from '../../shared/list-choices.ts';
import { clickUpClient } from './click-up-client.ts';
import { folderResource, list, timeEntry } from './list.ts';
import { task } from './task.ts';

export const clickUp = defineService({
  displayName: 'ClickUp',
  name: 'click-up',
  version: 1,
  description: 'Reads and changes tasks, lists, folders, and time entries in ClickUp',
  credentials: [
    { name: 'clickUpApi', required: true, ...where({ authentication: ['accessToken'] }) },
    { name: 'clickUpOAuth2Api', required: true, ...where({ authentication: ['oAuth2'] }) },
  ],
  icon: 'fa:check',
  iconColor: 'purple',
  client: clickUpClient,
  leading: [choice('authentication', 'Authentication', choices(['accessToken', 'Access Token'], ['oAuth2', 'OAuth2']))],
  resources: { folder: folderResource, list, task, timeEntry },
  initial: 'task',
  methods: {
    loadOptions: {
      getTeams: (context) => named(context, '/team', 'teams'),
      getSpaces: (context) => named(context, below(context, 'team', 'space'), 'spaces'),
      getFolders: (context) => named(context, below(context, 'space', 'folder'), 'folders'),
      getLists: (context) =>
        named(context, below(context, context.parameter('folderless', false) ? 'space' : 'folder', 'list'), 'lists'),
    },
  },
});

const below = (context: MethodContext, parent: string, kind: string): string =>
  `/${parent}/${encodeURIComponent(context.parameter<string>(parent, ''))}/${kind}`;

async function named(context: MethodContext, path: string, member: string): Promise<NodePropertyOption[]> {
  const response = objectOf(await clickUpClient.send(context, { path }));
  return choicesFrom(objectsOf(response[member]));
}
