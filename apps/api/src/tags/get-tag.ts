import { tagView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toTagView } from './tag-view.ts';

export const getTag = defineRoute({
  method: 'get',
  path: '/tags/:id',
  scope: 'workflow:list',
  summary: 'Read a tag',
  responses: { 200: tagView },
  async handle({ params, services }) {
    return { status: 200, body: toTagView(await services.tags.get(params.id)) };
  },
});
