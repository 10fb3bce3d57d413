export { baseNodeTypes } from './base-node-types.ts';
export { createNodeTypeRegistry, type NodeTypeRegistry } from './node-type-registry.ts';
