import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'A query finds documents, and each is an item.',
  needs: 'A collection "people" with one document that meets the query',
  parameters: {
    operation: 'find',
    collection: 'people',
    query: '{ "age": { "$gte": 18 } }',
    options: { limit: 10, sort: '{ "name": 1 }' },
  },
  inputs: [[{}]],
  outputs: [[{ _id: '507f1f77bcf86cd799439011', name: 'Ann', age: 30, joined: '2026-01-02T00:00:00.000Z' }]],
};
