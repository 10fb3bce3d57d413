import { isJsonObject } from '@sluice/domain';
import type { WebhookResult } from '@sluice/node-sdk';

/**
 * Checks the return value of a `webhook` method, which may be undefined. Throws a `TypeError` that
 * names the problem.
 */
export function checkedWebhookResult(value: unknown): WebhookResult {
  if (value === undefined) return {};
  if (!isJsonObject(value)) throw new TypeError(`webhook must return an object, not ${describe(value)}`);
  const { workflowData, noWebhookResponse, deliveryId } = value as Record<string, unknown>;
  if (workflowData !== undefined && workflowData !== null) checkOutputs(workflowData);
  if (noWebhookResponse !== undefined && typeof noWebhookResponse !== 'boolean')
    throw new TypeError(`noWebhookResponse must be true or false, not ${describe(noWebhookResponse)}`);
  if (deliveryId !== undefined && (typeof deliveryId !== 'string' || deliveryId === ''))
    throw new TypeError(
      `deliveryId must be a non-empty string, not ${deliveryId === '' ? 'an empty one' : describe(deliveryId)}`,
    );
  return value as WebhookResult;
}

function checkOutputs(outputs: unknown): void {
  if (!Array.isArray(outputs)) throw new TypeError(`workflowData must be a list, not ${describe(outputs)}`);
  for (const [output, items] of outputs.entries()) {
    if (!Array.isArray(items))
      throw new TypeError(`workflowData[${output}] must be the list of items of that output, not ${describe(items)}`);
    const wrong = items.findIndex((item) => !isJsonObject(item) || !isJsonObject(item['json']));
    if (wrong >= 0)
      throw new TypeError(`workflowData[${output}][${wrong}] must be an item: an object with an object as its json`);
  }
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`;
}
