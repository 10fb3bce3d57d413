import { type ExecuteContext, type LanguageModel, NodeOperationError, type NodeType } from '@sluice/node-sdk';
import { between, everyItemPasses, Filter, list, listParameter, number, numberParameter } from '@sluice/nodes-base/node-tools';

/** Maximum number of models of one node. */
const maxModels = 10;

/** Supplies the connected model that a rule chooses for an item. */
export const modelSelector: NodeType = {
  description: {
    displayName: 'Model Selector',
    name: 'model-selector',
    group: ['transform'],
    version: [1],
    description:
      'Supplies one of the connected models for each item: that of the first rule whose conditions the item meets. Models count in the order of their inputs, without disabled ones',
    defaults: { name: 'Model Selector' },
    inputs: [],
    outputs: ['ai_languageModel'],
    subNodes: [{ type: 'ai_languageModel', displayName: 'Models', required: true }],
    computesOnly: true,
    properties: [
      between(1, maxModels, number('numberInputs', 'Number of Inputs', 2, 'How many models can be connected')),
      list('rules', 'Rules', 'rule', [
        between(1, maxModels, number('modelIndex', 'Model', 1, 'The model of the rule: 1 is the first one')),
        { displayName: 'Conditions', name: 'conditions', type: 'filter', default: {}, emptyHint: everyItemPasses },
      ]),
    ],
    icon: 'fa:map-signs',
  },
  supply: selectedModel,
};

async function selectedModel(context: ExecuteContext, itemIndex: number): Promise<LanguageModel> {
  const rule = firstMatch(context, itemIndex);
  if (rule === undefined)
    throw new NodeOperationError('no rule matches the item, so there is no model', {
      itemIndex,
      description: 'Add a rule without conditions at the end: it matches each item',
    });
  const models = await context.connected('ai_languageModel', itemIndex);
  const place = numberParameter(context, `rules.rule.${rule}.modelIndex`, itemIndex, 1);
  const chosen = models[place - 1];
  if (chosen) return chosen.value;
  throw new NodeOperationError(
    `rule ${rule + 1} names model ${place}, but the number of connected models is ${models.length}`,
    {
      itemIndex,
      description: 'Connect the model, or enable it',
    },
  );
}

function firstMatch(context: ExecuteContext, itemIndex: number): number | undefined {
  const rules = listParameter(context, 'rules.rule', itemIndex);
  const matches = (_: unknown, rule: number) =>
    new Filter(context, `rules.rule.${rule}.conditions`).matches(itemIndex, { caseSensitive: true, typeValidation: 'strict' });
  const index = rules.findIndex(matches);
  return index < 0 ? undefined : index;
}
