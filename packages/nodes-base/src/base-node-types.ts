import type { NodeType } from '@sluice/node-sdk';
import { aggregate } from './nodes/aggregate/aggregate.ts';
import { code } from './nodes/code/code.ts';
import { compareDatasets } from './nodes/compare-datasets/compare-datasets.ts';
import { crypto } from './nodes/crypto/crypto.ts';
import { dateTime } from './nodes/date-time/date-time.ts';
import { filter } from './nodes/filter/filter.ts';
import { functionNode } from './nodes/function/function.ts';
import { functionItem } from './nodes/function-item/function-item.ts';
import { html } from './nodes/html/html.ts';
import { htmlExtract } from './nodes/html-extract/html-extract.ts';
import { httpRequest } from './nodes/http-request/http-request.ts';
import { ifNode } from './nodes/if/if.ts';
import { itemLists } from './nodes/item-lists/item-lists.ts';
import { limit } from './nodes/limit/limit.ts';
import { manualTrigger } from './nodes/manual-trigger/manual-trigger.ts';
import { markdown } from './nodes/markdown/markdown.ts';
import { merge } from './nodes/merge/merge.ts';
import { noOp } from './nodes/no-op/no-op.ts';
import { removeDuplicates } from './nodes/remove-duplicates/remove-duplicates.ts';
import { renameKeys } from './nodes/rename-keys/rename-keys.ts';
import { set } from './nodes/set/set.ts';
import { sort } from './nodes/sort/sort.ts';
import { splitInBatches } from './nodes/split-in-batches/split-in-batches.ts';
import { splitOut } from './nodes/split-out/split-out.ts';
import { stopAndError } from './nodes/stop-and-error/stop-and-error.ts';
import { summarize } from './nodes/summarize/summarize.ts';
import { switchNode } from './nodes/switch/switch.ts';
import { wait } from './nodes/wait/wait.ts';
import { xml } from './nodes/xml/xml.ts';

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
  filter,
  switchNode,
  splitInBatches,
  splitOut,
  aggregate,
  summarize,
  sort,
  limit,
  removeDuplicates,
  itemLists,
  compareDatasets,
  renameKeys,
  dateTime,
  crypto,
  html,
  htmlExtract,
  markdown,
  xml,
  functionNode,
  functionItem,
];
