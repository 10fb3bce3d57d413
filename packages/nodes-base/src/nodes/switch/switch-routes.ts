import { type ExecuteContext, type JsonObject, NodeOperationError, ownProperty } from '@sluice/node-sdk';
import { Filter, filterDefaults } from '../../shared/filter/filter.ts';
import { LegacyConditions } from '../../shared/filter/legacy-conditions.ts';
import {
  booleanParameter,
  choiceParameter,
  listParameter,
  numberParameter,
  textParameter,
  wrongParameter,
} from '../../shared/parameters.ts';
import { switchRuleCount } from './switch-outputs.ts';

/** The outputs that an item goes to; an item without an output is dropped. */
export type Route = (itemIndex: number) => number[];

/**
 * Routing in a node run, for all versions. `outputCount` includes the last output for the fallback.
 */
export function switchRoutes(context: ExecuteContext, outputCount: number): Route {
  const byExpression: Route = (itemIndex) => [outputParameter(context, itemIndex, outputCount)];
  const byRules = context.typeVersion < 3 ? legacyRules(context, outputCount) : filterRules(context, outputCount);
  return (itemIndex) => {
    const mode = choiceParameter(context, 'mode', itemIndex, ['rules', 'expression'], 'rules');
    return mode === 'expression' ? byExpression(itemIndex) : byRules(itemIndex);
  };
}

function legacyRules(context: ExecuteContext, outputCount: number): Route {
  const conditions = new LegacyConditions(context);
  return (itemIndex) => {
    const type = choiceParameter(context, 'dataType', itemIndex, ['boolean', 'dateTime', 'number', 'string'], 'number');
    const value1 = context.parameter('value1', itemIndex);
    const rules = listParameter(context, 'rules.rules', itemIndex);
    const isWritten = (rule: JsonObject) => (name: string) =>
      name in rule || ownProperty(context.node.parameters, name) !== undefined;
    const index = rules.findIndex((rule) => conditions.meets(type, { ...rule, value1 }, isWritten(rule)));
    if (index < 0) return fallback(numberParameter(context, 'fallbackOutput', itemIndex, -1), outputCount, itemIndex);
    const output = context.typeVersion < 2 ? Number(rules[index]?.['output'] ?? 0) : index;
    return [checkedOutput(output, outputCount, itemIndex)];
  };
}

function filterRules(context: ExecuteContext, outputCount: number): Route {
  const written = switchRuleCount(context.node.parameters, context.typeVersion);
  const filters: Filter[] = [];
  const filterOf = (rule: number) => (filters[rule] ??= new Filter(context, `rules.values.${rule}.conditions`));
  return (itemIndex) => {
    // If the rules come from an expression, they are counted per item. The outputs are fixed, so a
    // rule may lack an output.
    const count = written || listParameter(context, 'rules.values', itemIndex).length;
    const defaults = filterDefaults(context, itemIndex, 3.1);
    const all = booleanParameter(context, 'options.allMatchingOutputs', itemIndex, false);
    const matching: number[] = [];
    for (let rule = 0; rule < count; rule++) {
      if (filterOf(rule).matches(itemIndex, defaults)) matching.push(checkedOutput(rule, outputCount || 1, itemIndex));
      if (matching.length > 0 && !all) break;
    }
    return matching.length > 0 ? matching : fallbackOf(context, itemIndex, count, outputCount);
  };
}

function fallbackOf(context: ExecuteContext, itemIndex: number, ruleCount: number, outputCount: number): number[] {
  const target = textParameter(context, 'options.fallbackOutput', itemIndex, 'none');
  if (target === 'none') return [];
  return fallback(target === 'extra' ? ruleCount : Number(target), outputCount, itemIndex);
}

function fallback(output: number, outputCount: number, itemIndex: number): number[] {
  return output === -1 ? [] : [checkedOutput(output, outputCount, itemIndex)];
}

function outputParameter(context: ExecuteContext, itemIndex: number, outputCount: number): number {
  const isWritten = ownProperty(context.node.parameters, 'output') !== undefined;
  const parameter = context.parameter('output', itemIndex) ?? null;
  if (parameter === null && isWritten) throw wrongParameter('output', 'the number of an output', parameter, itemIndex);
  // A boolean means output 0 or 1.
  const isChoice = context.typeVersion >= 3 && typeof parameter === 'boolean';
  const output = isChoice ? Number(parameter) : numberParameter(context, 'output', itemIndex, 0);
  return checkedOutput(output, outputCount, itemIndex);
}

function checkedOutput(output: number, outputCount: number, itemIndex: number): number {
  if (Number.isInteger(output) && output >= 0 && output < outputCount) return output;
  throw new NodeOperationError(`the item is for output ${output}, but the node has the outputs 0 to ${outputCount - 1}`, {
    itemIndex,
    description: 'Change the output, or the number of outputs',
  });
}
