import { type ExecuteContext, type HistoryScope, type Item, NodeOperationError, type SeenHistory } from '@sluice/node-sdk';
import { choiceParameter, describeValue, numberParameter, requiredText, unsupported } from '../../shared/parameters.ts';
import { parseDate } from '../../shared/parse-date.ts';
import { passedItem } from '../../shared/per-item.ts';

/**
 * Items that no earlier execution has processed: by a value, or by a number or date above all
 * earlier ones.
 */
export async function itemsNotSeenBefore(context: ExecuteContext): Promise<Item[]> {
  const history = historyOf(context);
  const isNew = await checkHistory(context, history);
  return context.items().flatMap((item, index) => (isNew[index] ? [passedItem(item, index)] : []));
}

/** Clears the history and passes the items on. */
export async function clearHistory(context: ExecuteContext): Promise<Item[]> {
  choiceParameter(context, 'mode', 0, ['cleanDatabase'], 'cleanDatabase');
  await historyOf(context).clear(scopeOf(context), context.signal);
  return context.items().map((item, index) => passedItem(item, index));
}

function historyOf({ history }: ExecuteContext): SeenHistory {
  if (history) return history;
  throw unsupported(
    'removing items that earlier executions have processed',
    'Remove duplicates within the input, or keep the values in a database',
  );
}

const logics = [
  'removeItemsWithAlreadySeenKeyValues',
  'removeItemsUpToStoredIncrementalKey',
  'removeItemsUpToStoredDate',
] as const;

function checkHistory(context: ExecuteContext, history: SeenHistory): Promise<readonly boolean[]> {
  const scope = scopeOf(context);
  const forEach = <T>(read: (itemIndex: number) => T): T[] => context.items().map((_, itemIndex) => read(itemIndex));
  switch (choiceParameter(context, 'logic', 0, logics, 'removeItemsWithAlreadySeenKeyValues')) {
    case 'removeItemsWithAlreadySeenKeyValues': {
      const values = forEach((itemIndex) => requiredText(context, 'dedupeValue', itemIndex));
      return history.add(scope, values, historySize(context), context.signal);
    }
    case 'removeItemsUpToStoredIncrementalKey': {
      const values = forEach((itemIndex) => requiredNumber(context, itemIndex));
      return history.passMark(scope, 'number', values, context.signal);
    }
    case 'removeItemsUpToStoredDate':
      return history.passMark(
        scope,
        'date',
        forEach((itemIndex) => requiredDate(context, itemIndex)),
        context.signal,
      );
  }
}

function scopeOf(context: ExecuteContext): HistoryScope {
  return choiceParameter(context, 'options.scope', 0, ['node', 'workflow'], 'node');
}

const maxHistory = 1_000_000;

function historySize(context: ExecuteContext): number {
  const size = Math.floor(numberParameter(context, 'options.historySize', 0, 10_000));
  if (size >= 1 && size <= maxHistory) return size;
  throw new NodeOperationError(`the option "historySize" must be between 1 and ${maxHistory}, but is ${size}`, {
    description: 'Set the number of values to remember',
  });
}

function requiredNumber(context: ExecuteContext, itemIndex: number): number {
  requiredText(context, 'incrementalDedupeValue', itemIndex);
  return numberParameter(context, 'incrementalDedupeValue', itemIndex, 0);
}

function requiredDate(context: ExecuteContext, itemIndex: number): number {
  const value = requiredText(context, 'dateDedupeValue', itemIndex);
  const milliseconds = parseDate(value, context.workflow.timezone);
  if (milliseconds !== undefined) return milliseconds;
  throw new NodeOperationError(`the parameter "dateDedupeValue" must be a date, but is ${describeValue(value)}`, {
    itemIndex,
    description: 'Use an ISO date; check the expression against the node’s input',
  });
}
