import { defineService } from '../../shared/define-service.ts';
import { choicesFrom } from '../../shared/list-choices.ts';
import { sendAll } from '../../shared/paging.ts';
import { pages, tasksClient } from './google-tasks-client.ts';
import { task } from './task.ts';

const maxLists = 2_000;

export const googleTasks = defineService({
  displayName: 'Google Tasks',
  name: 'google-tasks',
  version: 1,
  description: 'Reads and changes tasks in Google Tasks',
  credentials: [{ name: 'googleTasksOAuth2Api', required: true }],
  icon: 'fa:check',
  iconColor: 'blue',
  client: tasksClient,
  resources: { task },
  methods: {
    loadOptions: {
      getTasks: async (context) => {
        const request = { path: '/users/@me/lists', query: { maxResults: 100 } };
        return choicesFrom(await sendAll(tasksClient, context, request, pages, maxLists), 'title');
      },
    },
  },
});
