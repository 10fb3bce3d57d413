import assert from 'node:assert/strict';
import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const item = {
  id: '7',
  name: 'Plan',
  column_values: [
    {
      id: 'status',
      text: 'Done',
      type: 'status',
      value: '{"index":1}',
      column: { title: 'Status', archived: false, settings_str: '{}' },
    },
  ],
};
const page = { cursor: null, items: [item] };

/** Values of the schema's fields. */
const data: Readonly<Record<string, unknown>> = {
  archive_board: { id: '42' },
  boards: [
    {
      id: '42',
      name: 'Work',
      columns: [{ id: 'status', title: 'Status' }],
      groups: [{ id: 'topics', title: 'Topics', items_page: page }],
      items_page: page,
    },
  ],
  change_column_value: { id: '7' },
  change_multiple_column_values: { id: '7' },
  create_board: { id: '43' },
  create_column: { id: 'text1' },
  create_group: { id: 'g2' },
  create_item: { id: '7' },
  create_update: { id: 'u1' },
  delete_group: { id: 'topics', deleted: true },
  delete_item: { id: '7' },
  items: [item],
  items_page_by_column_values: page,
  move_item_to_group: { id: '7' },
  next_items_page: page,
};

/**
 * https://developer.monday.com/api-reference/docs/basics. The variables must be the ones that the
 * query declares and uses.
 */
export function mondayComServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://api.monday.com',
    headers: { authorization: /^(token1|Bearer t)$/ },
    routes: {
      'POST /v2': {
        body: fields({ 'query!': { type: 'string', pattern: '^(query|mutation) ' }, 'variables!': { type: 'object' } }),
        answer: ({ body }) => {
          const { query, variables } = body as { query: string; variables: Record<string, unknown> };
          const [, declared = '', field = ''] = /^\w+ \((.*?)\) \{ (\w+)/.exec(query) ?? [];
          const uses = query.slice(query.indexOf(')'));
          for (const [, name = '', type = ''] of declared.matchAll(/\$(\w+): ([\w[\]!]+)/g)) {
            assert.ok(uses.includes(`$${name}`), `$${name} is not used`);
            assert.ok(!type.endsWith('!') || variables[name] !== undefined, `$${name} has no value`);
          }
          for (const name of Object.keys(variables)) assert.ok(declared.includes(`$${name}:`), `$${name} is not declared`);
          assert.ok(field in data, `there is no field ${field}`);
          return { json: { data: { [field]: data[field] } } };
        },
      },
    },
  });
}
