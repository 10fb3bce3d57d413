export { loadAiNodeTypes, withAiTypes } from './ai-node-types.ts';
