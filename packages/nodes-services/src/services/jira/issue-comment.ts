import type { JsonValue, NodeProperty } from '@sluice/node-sdk';
import { options, text, toggle, where } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { isCloud, listed } from './jira-client.ts';
import { issueKey, issuePath, listProperties } from './jira-properties.ts';

const commentId = text('commentId', 'Comment ID', 'ID of the comment', { required: true });
const expand = text('expand', 'Expand', 'Further data, such as `renderedBody`');
const wikiMarkup = toggle(
  'wikiMarkup',
  'Use Wiki Markup',
  'Whether Jira formats the text by its wiki markup; a server always does',
);
const body: readonly NodeProperty[] = [
  toggle('jsonParameters', 'JSON Parameters', 'Whether the comment is a document in JSON'),
  text('comment', 'Comment', 'Text of the comment', { typeOptions: { rows: 5 }, ...where({ jsonParameters: [false] }) }),
  {
    displayName: 'Document (JSON)',
    name: 'commentJson',
    type: 'json',
    default: '',
    description: 'The comment in the Atlassian Document Format',
    ...where({ jsonParameters: [true] }),
  },
];

/** API version 3 uses documents, version 2 wiki markup. */
const versionOf = (item: ServiceItem) => (isCloud(item.access) && !item.toggle('options.wikiMarkup') ? 3 : 2);

const onePath = (item: ServiceItem, version: number) =>
  issuePath(item, `/comment/${encodeURIComponent(item.id('commentId'))}`, version);

export const issueComment: Resource = {
  displayName: 'Issue Comment',
  operations: {
    add: {
      displayName: 'Add',
      description: 'Adds a comment to an issue',
      properties: [issueKey, ...body, options([expand, wikiMarkup])],
      run: (item) => {
        const version = versionOf(item);
        const query = { expand: item.text('options.expand') };
        return item.send({ path: issuePath(item, '/comment', version), query, json: { body: contentOf(item, version) } });
      },
    },
    get: {
      displayName: 'Get',
      description: 'Gets a comment',
      properties: [issueKey, commentId, options([expand, wikiMarkup])],
      run: (item) => item.send({ path: onePath(item, versionOf(item)), query: { expand: item.text('options.expand') } }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the comments of an issue',
      properties: [issueKey, ...listProperties, options([expand, wikiMarkup])],
      run: (item) =>
        listed(
          item,
          { path: issuePath(item, '/comment', versionOf(item)), query: { expand: item.text('options.expand') } },
          'comments',
        ),
    },
    remove: {
      displayName: 'Remove',
      description: 'Removes a comment',
      properties: [issueKey, commentId],
      run: (item) => item.perform({ method: 'DELETE', path: onePath(item, 2) }),
    },
    update: {
      displayName: 'Update',
      description: 'Changes a comment',
      properties: [issueKey, commentId, ...body, options([expand, wikiMarkup])],
      run: (item) => {
        const version = versionOf(item);
        const query = { expand: item.text('options.expand') };
        return item.send({ method: 'PUT', path: onePath(item, version), query, json: { body: contentOf(item, version) } });
      },
    },
  },
};

/** Maximum number of characters in a Jira comment. */
const maxComment = 32_767;

function contentOf(item: ServiceItem, version: number): JsonValue {
  if (item.toggle('jsonParameters')) return item.json('commentJson') ?? {};
  const comment = item.required('comment');
  if (comment.length > maxComment)
    throw item.error(`the comment has more than ${maxComment} characters`, 'Make it shorter, or attach a file');
  return version === 2 ? comment : documentOf(comment);
}

/**
 * A document with one paragraph per line:
 * https://developer.atlassian.com/cloud/jira/platform/apis/document/structure/
 */
export function documentOf(text: string): JsonValue {
  const content = text
    .split(/\r?\n/)
    .map((line) => ({ type: 'paragraph', content: line === '' ? [] : [{ type: 'text', text: line }] }));
  return { type: 'doc', version: 1, content };
}
