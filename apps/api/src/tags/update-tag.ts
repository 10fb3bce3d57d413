import { tagBody, tagView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toTagView } from './tag-view.ts';

export const updateTag = defineRoute({
  method: 'patch',
  path: '/tags/:id',
  scope: 'workflow:update',
  action: 'tag.update',
  summary: 'Rename a tag',
  body: tagBody,
  responses: { 200: tagView },
  async handle({ params, body, caller, services }) {
    return { status: 200, body: toTagView(await services.tags.rename(params.id, body.name, caller)) };
  },
});
