import type { MethodContext, NodePropertyOption } from '@sluice/node-sdk';
import { defineService } from '../../shared/define-service.ts';
import { asText } from '../../shared/json-values.ts';
import { sendAll } from '../../shared/paging.ts';
import { page, post } from './content.ts';
import { user } from './user.ts';
import { pageSize, pages, wordpressClient } from './wordpress-client.ts';

/** Maximum number of choices that editors show. */
const maxChoices = 1_000;

/** Elements of a list as choices with name and ID. */
const named =
  (path: string) =>
  async (context: MethodContext): Promise<NodePropertyOption[]> => {
    const records = await sendAll(wordpressClient, context, { path, query: { per_page: pageSize } }, pages, maxChoices);
    return records.map(({ id = '', name = '' }) => ({ name: asText(name), value: Number(id) }));
  };

export const wordpress = defineService({
  displayName: 'WordPress',
  name: 'wordpress',
  version: 1,
  description: 'Reads and writes posts, pages, and users of a WordPress site',
  credentials: [{ name: 'wordpressApi', required: true }],
  icon: 'fa:newspaper',
  iconColor: 'blue',
  client: wordpressClient,
  resources: { page, post, user },
  initial: 'post',
  methods: {
    loadOptions: { getAuthors: named('/users'), getCategories: named('/categories'), getTags: named('/tags') },
  },
});
