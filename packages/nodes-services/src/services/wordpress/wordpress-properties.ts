import type { NodeProperty } from '@sluice/node-sdk';
import { choice, choices, number, text, toggle } from '@sluice/nodes-base/node-tools';
import { listPropertiesOf } from '../../shared/list-properties.ts';

export const statuses = choices(
  ['publish', 'Publish'],
  ['future', 'Future'],
  ['draft', 'Draft'],
  ['pending', 'Pending'],
  ['private', 'Private'],
);
const openOrClosed = choices(['open', 'Open'], ['closed', 'Closed']);
const formats = choices(
  ['standard', 'Standard'],
  ['aside', 'Aside'],
  ['audio', 'Audio'],
  ['chat', 'Chat'],
  ['gallery', 'Gallery'],
  ['image', 'Image'],
  ['link', 'Link'],
  ['quote', 'Quote'],
  ['status', 'Status'],
  ['video', 'Video'],
);

/** A property with a list of IDs that editors load. */
const idList = (name: string, displayName: string, method: string, description: string): NodeProperty => ({
  displayName,
  name,
  type: 'multiOptions',
  default: [],
  typeOptions: { loadOptionsMethod: method },
  description,
});

const author: NodeProperty = {
  displayName: 'Author',
  name: 'authorId',
  type: 'options',
  default: '',
  typeOptions: { loadOptionsMethod: 'getAuthors' },
  description: 'User that is the author',
};

/** Fields of posts and pages. */
export const written: readonly NodeProperty[] = [
  author,
  text('content', 'Content', 'HTML or text'),
  text('slug', 'Slug', 'Last part of the address'),
  text('password', 'Password', 'Password that readers need'),
  choice('status', 'Status', statuses, { default: 'draft' }),
  choice('commentStatus', 'Comment Status', openOrClosed),
  choice('pingStatus', 'Ping Status', openOrClosed),
];

export const postFields: readonly NodeProperty[] = [
  ...written,
  choice('format', 'Format', formats),
  toggle('sticky', 'Sticky', 'Whether the post stays at the top'),
  idList('categories', 'Categories', 'getCategories', 'Categories of the post'),
  idList('tags', 'Tags', 'getTags', 'Tags of the post'),
  text('postTemplate', 'Post Template', 'File of the template of the theme'),
  text('date', 'Date', 'Time of publication, in the time zone of the site'),
  number('featuredMediaId', 'Featured Media ID', 0, 'ID of the featured image'),
];

export const pageFields: readonly NodeProperty[] = [
  ...written,
  number('parentId', 'Parent ID', 0, 'ID of the page above'),
  text('pageTemplate', 'Page Template', 'File of the template of the theme'),
  number('menuOrder', 'Menu Order', 0, 'Position among the pages'),
  number('featuredMediaId', 'Featured Media ID', 0, 'ID of the featured image'),
];

export const userFields: readonly NodeProperty[] = [
  text('url', 'URL', 'Website of the user'),
  text('description', 'Description', 'About the user'),
  text('nickname', 'Nickname', 'Nickname of the user'),
  text('slug', 'Slug', 'Last part of the address of the user'),
];

export const context = choice('context', 'Context', choices(['view', 'View'], ['embed', 'Embed'], ['edit', 'Edit']), {
  description: 'Which fields are returned',
});

/** Filters for posts and pages; `orders`: allowed sort keys. */
export const filters = (...orders: string[]): readonly NodeProperty[] => [
  context,
  choice(
    'orderBy',
    'Order By',
    orders.map((value) => ({ value, name: value })),
  ),
  choice('order', 'Order', choices(['desc', 'Descending'], ['asc', 'Ascending'])),
  text('search', 'Search', 'Text to find'),
  text('after', 'After', 'Only what was published after this time'),
  text('before', 'Before', 'Only what was published before this time'),
  idList('author', 'Authors', 'getAuthors', 'Only what these users wrote'),
  choice('status', 'Status', statuses),
];

export const postFilters: readonly NodeProperty[] = [
  ...filters('date', 'author', 'id', 'include', 'modified', 'parent', 'relevance', 'slug', 'title'),
  idList('categories', 'Categories', 'getCategories', 'Only posts in these categories'),
  idList('excludedCategories', 'Exclude Categories', 'getCategories', 'No posts in these categories'),
  idList('tags', 'Tags', 'getTags', 'Only posts with these tags'),
  idList('excludedTags', 'Exclude Tags', 'getTags', 'No posts with these tags'),
  toggle('sticky', 'Sticky', 'Whether to return only posts that stay at the top'),
];

export const pageFilters: readonly NodeProperty[] = [
  ...filters('date', 'author', 'id', 'include', 'menu_order', 'modified', 'parent', 'relevance', 'slug', 'title'),
  number('parentId', 'Parent ID', 0, 'Only pages below this one'),
  number('menuOrder', 'Menu Order', 0, 'Only pages at this position'),
];

export const userFilters: readonly NodeProperty[] = [
  context,
  choice(
    'orderBy',
    'Order By',
    ['name', 'email', 'id', 'include', 'registered_date', 'slug', 'url'].map((value) => ({ value, name: value })),
  ),
  choice('order', 'Order', choices(['asc', 'Ascending'], ['desc', 'Descending'])),
  text('search', 'Search', 'Text to find'),
];

/** `returnAll` and `limit`. */
export const listProperties = listPropertiesOf();
