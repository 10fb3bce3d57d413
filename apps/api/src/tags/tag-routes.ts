import { listTagsQuery, type TagView, tagBody, tagPage, tagView } from '@sluice/contract';
import type { Tag } from '@sluice/db';
import { defineRoute, defineRoutes } from '../http/route/define-route.ts';
import { mapPage, pageByCreation } from '../paging/page.ts';

/**
 * Tags of the instance. Callers who may list workflows can read them; callers who may update
 * workflows can change them, unless they are used in projects in which the caller is not an editor.
 */
export const tagRoutes = defineRoutes({
  listTags: defineRoute({
    method: 'get',
    path: '/tags',
    scope: 'workflow:list',
    summary: 'List tags, newest first',
    query: listTagsQuery,
    responses: { 200: tagPage },
    reply: async ({ query, services }) =>
      mapPage(await pageByCreation('tags', query, (page) => services.tags.list(page)), toTagView),
  }),

  createTag: defineRoute({
    method: 'post',
    path: '/tags',
    scope: 'workflow:update',
    action: 'tag.create',
    summary: 'Create a tag with a unique name',
    body: tagBody,
    responses: { 201: tagView },
    reply: async ({ body, services }) => toTagView(await services.tags.create(body.name)),
  }),

  getTag: defineRoute({
    method: 'get',
    path: '/tags/:id',
    scope: 'workflow:list',
    summary: 'Read a tag',
    responses: { 200: tagView },
    reply: async ({ params, services }) => toTagView(await services.tags.get(params.id)),
  }),

  updateTag: defineRoute({
    method: 'patch',
    path: '/tags/:id',
    scope: 'workflow:update',
    action: 'tag.update',
    summary: 'Rename a tag',
    body: tagBody,
    responses: { 200: tagView },
    reply: async ({ params, body, caller, services }) =>
      toTagView(await services.tags.rename(params.id, body.name, caller.access['project:editor'])),
  }),

  deleteTag: defineRoute({
    method: 'delete',
    path: '/tags/:id',
    scope: 'workflow:update',
    action: 'tag.delete',
    summary: 'Delete a tag and remove it from workflows and executions',
    responses: { 200: tagView },
    reply: async ({ params, caller, services }) =>
      toTagView(await services.tags.delete(params.id, caller.access['project:editor'])),
  }),
});

function toTagView({ id, name, createdAt, updatedAt }: Tag): TagView {
  return { id, name, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
