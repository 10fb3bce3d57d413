import type { NodeType } from '@sluice/node-sdk';
import { code } from './nodes/code/code.ts';
import { httpRequest } from './nodes/http-request/http-request.ts';
import { ifNode } from './nodes/if/if.ts';
import { manualTrigger } from './nodes/manual-trigger/manual-trigger.ts';
import { merge } from './nodes/merge/merge.ts';
import { noOp } from './nodes/no-op/no-op.ts';
import { set } from './nodes/set/set.ts';
import { stopAndError } from './nodes/stop-and-error/stop-and-error.ts';
import { wait } from './nodes/wait/wait.ts';

/** Every node type of this package. */
export const baseNodeTypes: readonly NodeType[] = [
  manualTrigger,
  noOp,
  set,
  ifNode,
  merge,
  wait,
  code,
  httpRequest,
  stopAndError,
];
