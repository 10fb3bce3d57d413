import type { ExecuteContext } from '@sluice/node-sdk';
import { parseFieldPath } from '../../shared/field-path.ts';
import { choiceParameter, requiredText } from '../../shared/parameters.ts';
import { type ClashRules, defaultClashRules } from './merge-json.ts';
import type { FieldsPlan, MergePlan } from './merge-plan.ts';

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

const overwriteRules: Record<'always' | 'blank' | 'undefined', ClashRules> = {
  always: shallow,
  blank: { ...shallow, resolve: { preferInput: 0 }, overrideEmpty: true },
  undefined: { ...shallow, resolve: { preferInput: 0 } },
};

const unpairedByJoin = { inner: 'drop', left: 'keepOfFirst', outer: 'keep' } as const;

/** Version 1, in the terms of the later ones. */
export function readLegacyMergePlan(context: ExecuteContext): MergePlan {
  const mode = choiceParameter(context, 'mode', 0, modes, 'append');
  switch (mode) {
    case 'append':
      return { kind: 'append' };
    case 'wait':
      return { kind: 'emptyItem' };
    case 'multiplex':
      return { kind: 'all', clash: shallow };
    case 'passThrough':
      return {
        kind: 'choose',
        input: choiceParameter(context, 'output', 0, ['input1', 'input2'], 'input1') === 'input1' ? 0 : 1,
      };
    case 'mergeByIndex':
      return {
        kind: 'position',
        clash: shallow,
        unpaired: unpairedByJoin[choiceParameter(context, 'join', 0, ['inner', 'left', 'outer'], 'left')],
      };
    case 'mergeByKey': {
      const overwrite = choiceParameter(context, 'overwrite', 0, ['always', 'blank', 'undefined'], 'always');
      return { ...byKey(context), join: 'enrichInput1', output: 'both', clash: overwriteRules[overwrite] };
    }
    case 'keepKeyMatches':
      return { ...byKey(context), join: 'keepMatches', output: 'input1' };
    case 'removeKeyMatches':
      return { ...byKey(context), join: 'keepNonMatches', output: 'input1' };
  }
}

function byKey(context: ExecuteContext): Omit<FieldsPlan, 'join' | 'output'> {
  const field1 = parseFieldPath(requiredText(context, 'propertyName1', 0));
  const field2 = parseFieldPath(requiredText(context, 'propertyName2', 0));
  return { kind: 'fields', fields: [{ field1, field2 }], firstMatchOnly: true, fuzzy: false, clash: shallow };
}
