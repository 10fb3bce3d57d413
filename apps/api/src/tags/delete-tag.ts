import { tagView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toTagView } from './tag-view.ts';

export const deleteTag = defineRoute({
  method: 'delete',
  path: '/tags/:id',
  scope: 'workflow:update',
  action: 'tag.delete',
  summary: 'Delete a tag and remove it from workflows and executions',
  responses: { 200: tagView },
  async handle({ params, caller, services }) {
    return { status: 200, body: toTagView(await services.tags.delete(params.id, caller)) };
  },
});
