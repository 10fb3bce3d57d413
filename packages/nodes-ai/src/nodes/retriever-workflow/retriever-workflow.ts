import type { NodeType, Retriever } from '@sluice/node-sdk';
import { withFields } from '../../shared/called-item.ts';
import { calledItems } from '../../shared/called-workflow.ts';
import { extraInputs, workflowProperties } from '../../shared/workflow-properties.ts';

/** The items of another workflow as documents. While it runs, the execution occupies no worker. */
export const retrieverWorkflow: NodeType = {
  description: {
    displayName: 'Workflow Retriever',
    name: 'retriever-workflow',
    group: ['transform'],
    version: [1, 1.1],
    description:
      'Calls another workflow with the question as `query`. Each item of its last node is a document, whose text is the JSON of the item. A workflow may be called from its own project, or as `callerPolicy` in its settings allows.',
    defaults: { name: 'Workflow Retriever' },
    inputs: [],
    outputs: ['ai_retriever'],
    subNodes: [],
    properties: [...workflowProperties, extraInputs('Fields of the item that the workflow gets, besides `query`')],
    icon: 'fa:box-open',
  },
  supply: (context, itemIndex): Retriever => ({
    retrieve: async (query) => {
      const results = await calledItems(context, withFields(context, { query }, itemIndex), itemIndex);
      return results.map((json, index) => ({ text: JSON.stringify(json), metadata: { item: index } }));
    },
  }),
};
