import type { ExecuteContext } from '@sluice/node-sdk';
import { parseFieldPath } from '../../shared/field-path.ts';
import { choiceParameter, requiredText } from '../../shared/parameters.ts';
import { type ClashRules, defaultClashRules } from './merge-json.ts';
import type { KeyPlan, MergePlan } from './merge-plan.ts';

const modes = [
  'append',
  'keepKeyMatches',
  'mergeByIndex',
  'mergeByKey',
  'multiplex',
  'passThrough',
  'removeKeyMatches',
  'wait',
] as const;

const shallow: ClashRules = { ...defaultClashRules, deep: false };

const unpairedByJoin = { inner: 'drop', left: 'keepOfFirst', outer: 'keep' } as const;

/** Parameters of version 1. */
export function readLegacyMergePlan(context: ExecuteContext): MergePlan {
  const mode = choiceParameter(context, 'mode', 0, modes, 'append');
  switch (mode) {
    case 'append':
      return { kind: 'append' };
    case 'wait':
      return { kind: 'emptyItem', pairedInputs: 1, needsAllInputs: false };
    case 'multiplex':
      return { kind: 'all', clash: shallow };
    case 'passThrough':
      return {
        kind: 'choose',
        input: choiceParameter(context, 'output', 0, ['input1', 'input2'], 'input1') === 'input1' ? 0 : 1,
        needsAllInputs: false,
      };
    case 'mergeByIndex':
      return {
        kind: 'position',
        clash: shallow,
        preferredAgain: false,
        ignoresEmptyInputs: false,
        unpaired: unpairedByJoin[choiceParameter(context, 'join', 0, ['inner', 'left', 'outer'], 'left')],
      };
    case 'mergeByKey':
      return byKey(context, 'merge');
    case 'keepKeyMatches':
      return byKey(context, 'keep');
    case 'removeKeyMatches':
      return byKey(context, 'remove');
  }
}

function byKey(context: ExecuteContext, mode: KeyPlan['mode']): KeyPlan {
  return {
    kind: 'key',
    mode,
    field1: parseFieldPath(requiredText(context, 'propertyName1', 0)),
    field2: parseFieldPath(requiredText(context, 'propertyName2', 0)),
    overwrite: choiceParameter(context, 'overwrite', 0, ['always', 'blank', 'undefined'], 'always'),
  };
}
