import { listTagsQuery, tagPage } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toTagView } from './tag-view.ts';

export const listTags = defineRoute({
  method: 'get',
  path: '/tags',
  scope: 'workflow:list',
  summary: 'List tags, newest first',
  query: listTagsQuery,
  responses: { 200: tagPage },
  async handle({ query, services }) {
    const { tags, nextCursor } = await services.tags.list(query);
    return { status: 200, body: { data: tags.map(toTagView), nextCursor } };
  },
});
