import type { NodeProperty } from '@sluice/node-sdk';
import { atLeast, choice, choices, collection, names, number, text, toggle, where } from '../../shared/properties.ts';

export const mongoDbVersions = [1, 1.1, 1.2, 1.3, 1.4, 1.5];

const changing = ['update', 'findOneAndReplace', 'findOneAndUpdate'];
const documents = { resource: ['document'] };
const indexes = { resource: ['searchIndexes'] };

const json = (name: string, displayName: string, description: string, more: Partial<NodeProperty> = {}): NodeProperty => ({
  displayName,
  name,
  type: 'json',
  default: '{}',
  description,
  ...more,
});

const extended = 'Extended JSON: `{"$oid": "…"}` is an ID, `{"$date": "…"}` a date';

export const mongoDbProperties: readonly NodeProperty[] = [
  choice('resource', 'Resource', choices(['document', 'Document'], ['searchIndexes', 'Search Index'])),
  choice(
    'operation',
    'Operation',
    choices(
      ['aggregate', 'Aggregate', 'Runs an aggregation pipeline'],
      ['delete', 'Delete', 'Removes the documents that match a query'],
      ['find', 'Find', 'Returns the documents that match a query'],
      ['findOneAndReplace', 'Find and Replace', 'Replaces a document with the item'],
      ['findOneAndUpdate', 'Find and Update', 'Writes fields of the item into a document'],
      ['insert', 'Insert', 'Adds each item as a document'],
      ['update', 'Update', 'Writes fields of the item into a document'],
    ),
    { default: 'find', ...where(documents) },
  ),
  choice(
    'operation',
    'Operation',
    choices(
      ['createSearchIndex', 'Create'],
      ['dropSearchIndex', 'Drop'],
      ['listSearchIndexes', 'List'],
      ['updateSearchIndex', 'Update'],
    ),
    where(indexes),
  ),
  text('collection', 'Collection', 'Its name', { required: true }),
  json(
    'query',
    'Query',
    `A filter in ${extended}; for Aggregate, a list of stages`,
    where({ ...documents, operation: ['aggregate', 'delete', 'find'] }),
  ),
  collection(
    'options',
    'Options',
    [
      atLeast(0, number('limit', 'Limit', 0, 'Maximum number of documents to return; 0: all')),
      atLeast(0, number('skip', 'Skip', 0, 'Number of documents to skip')),
      json('sort', 'Sort', 'Field → 1 or -1'),
      json('projection', 'Projection', 'Field → 1 or 0'),
    ],
    where({ ...documents, operation: ['find'] }),
  ),
  text('updateKey', 'Update Key', 'Field that identifies the document', {
    default: 'id',
    ...where({ ...documents, operation: changing }),
  }),
  names(
    'fields',
    'Fields',
    'Fields of the item to write, separated by commas',
    where({ ...documents, operation: ['insert', ...changing] }),
  ),
  toggle('upsert', 'Upsert', 'Whether to insert a missing document', where({ ...documents, operation: changing })),
  collection(
    'options',
    'Options',
    [
      names('dateFields', 'Date Fields', 'Fields to write as dates, separated by commas'),
      toggle('useDotNotation', 'Use Dot Notation', 'Whether dots separate nested fields'),
    ],
    where({ ...documents, operation: ['insert', ...changing] }),
  ),
  text('indexName', 'Index Name', 'Empty: all', where({ ...indexes, operation: ['listSearchIndexes'] })),
  text('indexNameRequired', 'Index Name', 'Its name', {
    required: true,
    ...where({ ...indexes, operation: ['createSearchIndex', 'dropSearchIndex', 'updateSearchIndex'] }),
  }),
  json(
    'indexDefinition',
    'Index Definition',
    'Definition of the index',
    where({ ...indexes, operation: ['createSearchIndex', 'updateSearchIndex'] }),
  ),
  choice(
    'indexType',
    'Index Type',
    choices(['vectorSearch', 'Vector Search'], ['search', 'Search']),
    where({ ...indexes, operation: ['createSearchIndex'] }),
  ),
];
