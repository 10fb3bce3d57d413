import { tagBody, tagView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toTagView } from './tag-view.ts';

export const createTag = defineRoute({
  method: 'post',
  path: '/tags',
  scope: 'workflow:update',
  action: 'tag.create',
  summary: 'Create a tag with a unique name',
  body: tagBody,
  responses: { 201: tagView },
  async handle({ body, services }) {
    return { status: 201, body: toTagView(await services.tags.create(body.name)) };
  },
});
