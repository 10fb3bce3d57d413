export { loadServiceNodeTypes, serviceNodeTypes } from './service-node-types.ts';
