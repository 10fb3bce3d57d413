import { pageOf, pageQuery } from './page.ts';
import { type Static, Type } from './schema-builder.ts';
import { messageKeyword, nameText, storableText, timestamp } from './schema-helpers.ts';

/** The workflow filter separates names by commas, and ignores spaces around them. */
const tagName = Type.String({
  ...nameText,
  pattern: '^[^\\s\\u0000\\ud800-\\udfff,]([^\\u0000\\ud800-\\udfff,]*[^\\s\\u0000\\ud800-\\udfff,])?$',
  [messageKeyword]: 'must be well-formed text that is not empty and has no commas, outer spaces, or U+0000',
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
