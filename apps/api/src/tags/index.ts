import { createTag } from './create-tag.ts';
import { deleteTag } from './delete-tag.ts';
import { getTag } from './get-tag.ts';
import { listTags } from './list-tags.ts';
import { updateTag } from './update-tag.ts';

export const tagRoutes = [listTags, createTag, getTag, updateTag, deleteTag];
