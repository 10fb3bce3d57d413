export { baseNodeTypes } from './base-node-types.ts';
export * from './credentials/index.ts';
export { createNodeTypeRegistry, type NodeTypeRegistry } from './node-type-registry.ts';
