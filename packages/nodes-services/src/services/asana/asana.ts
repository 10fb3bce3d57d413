import type { MethodContext } from '@sluice/node-sdk';
import { choice, choices, where } from '@sluice/nodes-base/node-tools';
import { defineService } from '../../shared/define-service.ts';
import { chosenId } from '../../shared/service-item.ts';
import { asanaClient, choicesOf } from './asana-client.ts';
import { project, user } from './project.ts';
import { subtask, task, taskComment, taskProject, taskTag } from './task.ts';

export const asana = defineService({
  displayName: 'Asana',
  name: 'asana',
  version: 1,
  description: 'Reads and changes tasks and projects in Asana',
  credentials: [
    { name: 'asanaApi', required: true, ...where({ authentication: ['accessToken'] }) },
    { name: 'asanaOAuth2Api', required: true, ...where({ authentication: ['oAuth2'] }) },
  ],
  icon: 'fa:check',
  iconColor: 'orange',
  client: asanaClient,
  leading: [choice('authentication', 'Authentication', choices(['accessToken', 'Access Token'], ['oAuth2', 'OAuth2']))],
  resources: { project, subtask, task, taskComment, taskProject, taskTag, user },
  initial: 'task',
  methods: {
    loadOptions: {
      getWorkspaces: (context) => choicesOf(context, '/workspaces'),
      getProjects: (context) => choicesOf(context, '/projects', { archived: false, ...workspaceOf(context) }),
      getSections: (context) => {
        const id = chosenId(context, 'projectId') || chosenId(context, 'project') || chosenId(context, 'filters.project');
        return id === '' ? Promise.resolve([]) : choicesOf(context, `/projects/${encodeURIComponent(id)}/sections`);
      },
      getTags: (context) => choicesOf(context, '/tags', workspaceOf(context)),
      getTeams: (context) => {
        const { workspace } = workspaceOf(context);
        return workspace === undefined
          ? Promise.resolve([])
          : choicesOf(context, `/workspaces/${encodeURIComponent(workspace)}/teams`);
      },
      getUsers: (context) => choicesOf(context, '/users', workspaceOf(context)),
    },
  },
});

function workspaceOf(context: MethodContext): { workspace?: string } {
  const workspace = chosenId(context, 'workspace') || chosenId(context, 'filters.workspace');
  return workspace === '' ? {} : { workspace };
}
