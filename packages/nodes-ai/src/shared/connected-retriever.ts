import { type ExecuteContext, NodeOperationError, type Retriever } from '@sluice/node-sdk';

/** The retriever that is connected to a node, for an item. */
export async function retrieverOf(context: ExecuteContext, itemIndex: number): Promise<Retriever> {
  const [retriever] = await context.connected('ai_retriever', itemIndex);
  if (retriever) return retriever.value;
  throw new NodeOperationError('no retriever is connected', { itemIndex, description: 'Connect one to the node' });
}
