import { defineService } from '../../shared/define-service.ts';
import { choicesFrom } from '../../shared/list-choices.ts';
import { graphPages } from '../../shared/microsoft-graph.ts';
import { sendAll } from '../../shared/paging.ts';
import { linkedResource } from './linked-resource.ts';
import { list } from './list.ts';
import { task } from './task.ts';
import { toDoClient } from './to-do-client.ts';

const maxLists = 2_000;

export const microsoftToDo = defineService({
  displayName: 'Microsoft To Do',
  name: 'microsoft-to-do',
  version: 1,
  description: 'Reads and changes tasks, lists, and links in Microsoft To Do',
  credentials: [{ name: 'microsoftToDoOAuth2Api', required: true }],
  icon: 'fa:check',
  iconColor: 'blue',
  client: toDoClient,
  resources: { linkedResource, list, task },
  initial: 'task',
  methods: {
    loadOptions: {
      getTaskLists: async (context) => {
        const lists = await sendAll(toDoClient, context, { path: '/lists', query: { $top: 100 } }, graphPages, maxLists);
        return choicesFrom(lists, 'displayName');
      },
    },
  },
});
