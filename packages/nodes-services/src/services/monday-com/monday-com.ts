import type { JsonObject, MethodContext, NodePropertyOption } from '@sluice/node-sdk';
import { choice, choices, where } from '@sluice/nodes-base/node-tools';
import { defineService } from '../../shared/define-service.ts';
import { objectsOf, textOf } from '../../shared/json-values.ts';
import { chosenId } from '../../shared/service-item.ts';
import { board, boardColumn, boardGroup } from './board.ts';
import { boardItem } from './board-item.ts';
import { ask, mondayComClient, numberedPages } from './monday-com-client.ts';

export const mondayCom = defineService({
  displayName: 'monday.com',
  name: 'monday-com',
  version: 1,
  description: 'Reads and changes boards, groups, columns, and items in monday.com',
  credentials: [
    { name: 'mondayComApi', required: true, ...where({ authentication: ['accessToken'] }) },
    { name: 'mondayComOAuth2Api', required: true, ...where({ authentication: ['oAuth2'] }) },
  ],
  icon: 'fa:columns',
  iconColor: 'red',
  client: mondayComClient,
  leading: [choice('authentication', 'Authentication', choices(['accessToken', 'Access Token'], ['oAuth2', 'OAuth2']))],
  resources: { board, boardColumn, boardGroup, boardItem },
  methods: {
    loadOptions: {
      getBoards: async (context) => {
        const query = 'query ($page: Int, $limit: Int) { boards (page: $page, limit: $limit) { id name } }';
        return (await numberedPages(context, query, 'boards', 1_000)).map(optionOf('name'));
      },
      getColumns: (context) => partsOf(context, 'columns'),
      getGroups: (context) => partsOf(context, 'groups'),
    },
  },
});

const optionOf = (label: string) => (one: JsonObject) => ({ name: textOf(one[label]), value: textOf(one['id']) });

async function partsOf(context: MethodContext, part: string): Promise<NodePropertyOption[]> {
  const query = `query ($ids: [ID!]) { boards (ids: $ids) { ${part} { id title } } }`;
  const [records = {}] = objectsOf((await ask(context, query, { ids: [chosenId(context, 'boardId')] }))['boards']);
  return objectsOf(records[part]).map(optionOf('title'));
}
