import { type ExecuteContext, isJsonObject, NodeOperationError } from '@sluice/node-sdk';
import { coercedText } from '../../shared/coerced-text.ts';
import { parseFieldPath } from '../../shared/field-path.ts';
import {
  booleanParameter,
  choiceParameter,
  listParameter,
  namesParameter,
  numberParameter,
  textParameter,
} from '../../shared/parameters.ts';
import { type ClashRules, defaultClashRules } from './merge-json.ts';
import { type FieldsPlan, joinModes, type MergePlan } from './merge-plan.ts';
import { readLegacyMergePlan } from './read-legacy-merge-plan.ts';
import { readSqlPlan } from './read-sql-plan.ts';

/** Parameters of all versions as one plan; they are read once, for the first item. */
export function readMergePlan(context: ExecuteContext): MergePlan {
  if (context.typeVersion < 2) return readLegacyMergePlan(context);
  const mode = choiceParameter(context, 'mode', 0, ['append', 'combine', 'combineBySql', 'chooseBranch'], 'append');
  switch (mode) {
    case 'append':
      return { kind: 'append' };
    case 'chooseBranch':
      return readChoice(context);
    case 'combine':
      return readCombination(context);
    case 'combineBySql':
      return readSqlPlan(context);
  }
}

const emptyItem: MergePlan = { kind: 'emptyItem', pairedInputs: Number.POSITIVE_INFINITY, needsAllInputs: true };

function readChoice(context: ExecuteContext): MergePlan {
  if (context.typeVersion < 3) {
    const output = choiceParameter(context, 'output', 0, ['input1', 'input2', 'empty'], 'input1');
    return output === 'empty' ? emptyItem : { kind: 'choose', input: output === 'input1' ? 0 : 1, needsAllInputs: true };
  }
  const output = choiceParameter(context, 'output', 0, ['specifiedInput', 'empty'], 'specifiedInput');
  if (output === 'empty') return emptyItem;
  const input = numberParameter(context, 'useDataOfInput', 0, 1);
  if (Number.isInteger(input) && input >= 1) return { kind: 'choose', input: input - 1, needsAllInputs: true };
  throw new NodeOperationError('the parameter "useDataOfInput" must be the number of an input, from 1 on', {
    itemIndex: 0,
    description: 'Use the number of the input whose items to output',
  });
}

function readCombination(context: ExecuteContext): MergePlan {
  const clash = readClashRules(context);
  switch (combination(context)) {
    case 'fields':
      return readFieldsPlan(context, clash);
    case 'position':
      return {
        kind: 'position',
        clash,
        preferredAgain: context.typeVersion >= 3,
        ignoresEmptyInputs: context.typeVersion < 3,
        unpaired: booleanParameter(context, 'options.includeUnpaired', 0, false) ? 'keep' : 'drop',
      };
    case 'all':
      return { kind: 'all', clash };
  }
}

const combinations = {
  combineByFields: 'fields',
  mergeByFields: 'fields',
  combineByPosition: 'position',
  mergeByPosition: 'position',
  combineAll: 'all',
  multiplex: 'all',
} as const;

function combination(context: ExecuteContext): 'fields' | 'position' | 'all' {
  if (context.typeVersion < 3) {
    return combinations[
      choiceParameter(context, 'combinationMode', 0, ['mergeByFields', 'mergeByPosition', 'multiplex'], 'mergeByFields')
    ];
  }
  return combinations[
    choiceParameter(context, 'combineBy', 0, ['combineByFields', 'combineByPosition', 'combineAll'], 'combineByFields')
  ];
}

function readFieldsPlan(context: ExecuteContext, clash: ClashRules): FieldsPlan {
  const join = choiceParameter(context, 'joinMode', 0, joinModes, 'keepMatches');
  const prefersEnriching = join === 'enrichInput2' && textParameter(context, `${clashValues}.resolveClash`, 0) === '';
  const hasOutput = join === 'keepMatches' || join === 'keepNonMatches';
  return {
    kind: 'fields',
    fields: readFields(context),
    join,
    output: hasOutput ? choiceParameter(context, 'outputDataFrom', 0, ['both', 'input1', 'input2'], 'both') : 'both',
    firstMatchOnly: choiceParameter(context, 'options.multipleMatches', 0, ['all', 'first'], 'all') === 'first',
    equality: booleanParameter(context, 'options.fuzzyCompare', 0, false) ? 'loose' : 'exact',
    refuseAbsent: context.typeVersion < 2.1,
    clash: prefersEnriching ? { ...clash, resolve: { preferInput: 0 } } : clash,
  };
}

function readFields(context: ExecuteContext): FieldsPlan['fields'] {
  const paired = context.typeVersion < 3 || booleanParameter(context, 'advanced', 0, false);
  const parameter = paired ? 'mergeByFields.values' : 'fieldsToMatchString';
  const names = paired
    ? listParameter(context, parameter, 0).map(({ field1, field2 }) => [coercedText(field1), coercedText(field2)] as const)
    : namesParameter(context, parameter, 0).map((name) => [name, name] as const);
  if (names.length === 0 || names.some(([field1, field2]) => !field1.trim() || !field2.trim())) {
    throw new NodeOperationError(`the parameter "${parameter}" must name the fields to match`, {
      itemIndex: 0,
      description: 'Select a field that both inputs have, or one field of each input',
    });
  }
  const dotNotation = !booleanParameter(context, 'options.disableDotNotation', 0, false);
  const path = (name: string) => parseFieldPath(name.trim(), dotNotation);
  return names.map(([field1, field2]) => ({ field1: path(field1), field2: path(field2) }));
}

const clashValues = 'options.clashHandling.values';

function readClashRules(context: ExecuteContext): ClashRules {
  if (!isJsonObject(context.parameter(clashValues, 0))) return defaultClashRules;
  return {
    resolve: readResolve(textParameter(context, `${clashValues}.resolveClash`, 0)),
    deep: choiceParameter(context, `${clashValues}.mergeMode`, 0, ['deepMerge', 'shallowMerge'], 'deepMerge') === 'deepMerge',
    overrideEmpty: booleanParameter(context, `${clashValues}.overrideEmpty`, 0, false),
  };
}

function readResolve(text: string): ClashRules['resolve'] {
  if (text === 'addSuffix') return 'suffix';
  if (text === '' || text === 'preferLast') return 'last';
  const input = /^preferInput(\d{1,2})$/.exec(text)?.[1];
  if (input !== undefined) return { preferInput: Number(input) - 1 };
  throw new NodeOperationError('the parameter "resolveClash" must be addSuffix, preferLast, or preferInput and a number', {
    itemIndex: 0,
    description: 'Choose which input wins if both have a field',
  });
}
