import { type ExecuteContext, type JsonObject, NodeOperationError, type NodeOutput } from '@sluice/node-sdk';
import { ResultBudget } from '../../shared/byte-budget.ts';
import { choiceParameter } from '../../shared/parameters.ts';
import { mapItemsAsync } from '../../shared/per-item-async.ts';
import { S3Api, type S3Place } from './s3-api.ts';
import { operations } from './s3-operations.ts';

/** Runs the selected operation for each item, with a credential and its endpoint. */
export async function runS3(
  context: ExecuteContext,
  credential: string,
  placeOf: (data: JsonObject) => S3Place & { region: string },
): Promise<NodeOutput> {
  if (context.items().length === 0) return [[]];
  const budget = new ResultBudget();
  const items = await mapItemsAsync(context, async (item, itemIndex) => {
    const { region, ...place } = placeOf(await context.credentials(credential, itemIndex));
    const resource = choiceParameter(context, 'resource', itemIndex, ['bucket', 'file', 'folder'], 'file');
    const resourceOperations = operations[resource] ?? {};
    const name = choiceParameter(
      context,
      'operation',
      itemIndex,
      Object.keys(resourceOperations),
      resource === 'file' ? 'download' : 'create',
    );
    const operation = resourceOperations[name];
    if (!operation)
      throw new NodeOperationError(`the operation ${name} is unknown`, {
        itemIndex,
        description: 'Choose an operation from the list',
      });
    const api = new S3Api(context, credential, place, itemIndex);
    return operation({ context, api, region, budget, item, itemIndex });
  });
  return [items];
}
