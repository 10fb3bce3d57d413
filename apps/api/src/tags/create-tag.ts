import { tagBody, tagView } from '@sluice/contract';
import { defineRoute } from '../http/define-route.ts';
import { toTagView } from './tag-view.ts';

export const createTag = defineRoute({
  method: 'post',
  path: '/tags',
  scope: 'workflow:update',
  action: 'tag.create',
  summary: 'Make a tag; its name is its alone',
  body: tagBody,
  replies: { 201: tagView },
  async handle({ body, services }) {
    return { status: 201, body: toTagView(await services.tags.create(body.name)) };
  },
});
