import { pageOf, pageQuery } from './page.ts';
import { type Static, Type } from './schema-builder.ts';

/** A node type's description. Other members are defined by the contract's node type description. */
export const nodeTypeView = Type.Unsafe<{ type: string }>({
  type: 'object',
  title: 'NodeType',
  properties: {
    type: { type: 'string', description: 'identifier, as in `type` of nodes' },
    displayName: { type: 'string' },
    name: { type: 'string' },
    group: { type: 'array', items: { type: 'string' } },
    version: { type: ['number', 'array'], items: { type: 'number' } },
    description: { type: 'string' },
    deprecated: { type: 'boolean', description: 'true: newer types replace it' },
    defaults: { type: 'object' },
    inputs: { type: 'array', items: { type: 'string' } },
    outputs: { type: 'array', items: { type: 'string' } },
    properties: { type: 'array', items: { type: 'object' } },
    credentials: { type: 'array', items: { type: 'object' } },
    subNodes: {
      type: 'array',
      description: 'sub-nodes that a node of the type accepts, such as models and tools; absent: unknown',
      items: {
        type: 'object',
        properties: {
          type: { type: 'string', description: 'connection type, such as `ai_tool`' },
          displayName: { type: 'string' },
          required: { type: 'boolean' },
          maxCount: { type: 'integer', description: 'absent: any number' },
          displayOptions: { type: 'object', description: 'parameters with which the type accepts them' },
        },
        required: ['type'],
      },
    },
    usableAsTool: {
      type: 'boolean',
      description: 'an agent can call a node of the type, whose name is then this one with `Tool` appended',
    },
  },
  required: ['type', 'displayName', 'name', 'group', 'version', 'inputs', 'outputs', 'properties'],
  examples: [
    {
      type: 'base.manual-trigger',
      displayName: 'Manual Trigger',
      name: 'manual-trigger',
      group: ['trigger'],
      version: 1,
      inputs: [],
      outputs: ['main'],
      properties: [],
    },
  ],
});

export const nodeTypePage = pageOf(nodeTypeView);

export const listNodeTypesQuery = Type.Object({
  ...pageQuery,
  search: Type.Optional(
    Type.String({
      maxLength: 256,
      description: 'only types with each of these words in their identifier, display name, or description, ignoring case',
      examples: ['google sheets'],
    }),
  ),
});
export type ListNodeTypesQuery = Static<typeof listNodeTypesQuery>;
