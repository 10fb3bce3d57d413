import { tagView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toTagView } from './tag-view.ts';

export const deleteTag = defineRoute({
  method: 'delete',
  path: '/tags/:id',
  scope: 'workflow:update',
  action: 'tag.delete',
  summary: 'Delete a tag; workflows and executions lose it',
  replies: { 200: tagView },
  async handle({ params, services }) {
    return { status: 200, body: toTagView(await services.tags.delete(params.id)) };
  },
});
