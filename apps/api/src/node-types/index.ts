import { callNodeMethod } from './call-node-method.ts';
import { getNodeType } from './get-node-type.ts';
import { listNodePackages } from './list-node-packages.ts';
import { listNodeTypes } from './list-node-types.ts';

export const nodeTypeRoutes = [listNodeTypes, getNodeType, callNodeMethod, listNodePackages];
