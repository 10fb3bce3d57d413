import { NodeOperationError } from '@sluice/node-sdk';

export function selectorError(selector: string, itemIndex: number, cause: unknown): NodeOperationError {
  return new NodeOperationError(`the CSS selector ${JSON.stringify(selector)} cannot be used`, {
    itemIndex,
    description:
      'Write a CSS selector such as "h1", ".price" or "table > tr"; some selectors that browsers support are not supported here',
    cause,
  });
}
