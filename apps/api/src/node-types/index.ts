import { getNodeType } from './get-node-type.ts';
import { listNodeTypes } from './list-node-types.ts';

export const nodeTypeRoutes = [listNodeTypes, getNodeType];
