import { pageOf, pageQuery } from './page.ts';
import { type Static, Type } from './schema-builder.ts';
import { messageKeyword, nameText, storableText, timestamp } from './schema-helpers.ts';

/** Without commas, which separate names in the workflow filter. */
const tagName = Type.String({
  ...nameText,
  pattern: '^(?=[\\s\\S]*\\S)[^\\u0000\\ud800-\\udfff,]*$',
  [messageKeyword]: 'must not be blank, hold no comma, and be well-formed text without U+0000',
});

export const tagBody = Type.Object({ name: tagName });

export const tagView = Type.Object(
  { id: Type.String(), name: Type.String(), createdAt: timestamp, updatedAt: timestamp },
  { title: 'Tag' },
);
export type TagView = Static<typeof tagView>;

export const tagPage = pageOf(tagView);

export const listTagsQuery = Type.Object({ ...pageQuery });
export type ListTagsQuery = Static<typeof listTagsQuery>;

/** For workflows and annotations. */
export const tagIds = Type.Array(storableText, { maxItems: 1000, description: 'tag ids' });
