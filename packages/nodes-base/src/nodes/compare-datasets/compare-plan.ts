import { type ExecuteContext, NodeOperationError } from '@sluice/node-sdk';
import { coercedText } from '../../shared/coerced-text.ts';
import { type FieldPath, parseFieldPath } from '../../shared/field-path.ts';
import type { Equality } from '../../shared/match-values.ts';
import { type NamedField, usesDotNotation } from '../../shared/named-fields.ts';
import { booleanParameter, choiceParameter, listParameter, namesParameter } from '../../shared/parameters.ts';

/** Shape of the items that include both versions. */
export interface BothShape {
  /** Keys of the two values of a field. */
  names: readonly [string, string];
  /** Version 1 treats 0, false, and empty text as null. */
  falsyAsNull: boolean;
  /** Before version 2.1, a field that only one item has is always different. */
  missingDiffers: boolean;
}

/** Output for two items that match but differ. */
export type Resolution =
  | { kind: 'preferInput1' | 'preferInput2' }
  | { kind: 'includeBoth'; shape: BothShape }
  /**
   * One input's item, with some fields of the other's. Without dot notation a missing field removes
   * the field.
   */
  | { kind: 'mix'; prefer: 0 | 1; except: readonly NamedField[]; missingAsNull: boolean };

export interface ComparePlan {
  /** Fields that must be equal for two items to match. */
  match: readonly { field1: FieldPath; field2: FieldPath }[];
  resolve: Resolution;
  /** Fields that may differ. */
  skip: readonly NamedField[];
  equality: Equality;
  firstMatchOnly: boolean;
  /** Up to version 2.1, a field to match that no item has is an error. */
  refuseAbsent: boolean;
}

export function readComparePlan(context: ExecuteContext): ComparePlan {
  const { typeVersion } = context;
  const dotNotation = usesDotNotation(context, 0);
  const fuzzy = booleanParameter(context, typeVersion < 2 ? 'options.fuzzyCompare' : 'fuzzyCompare', 0, false);
  return {
    match: readMatchFields(context, dotNotation),
    resolve: readResolution(context, dotNotation),
    skip: namedFields(namesParameter(context, 'options.skipFields', 0), dotNotation),
    equality: fuzzy ? (typeVersion < 2 ? 'loose' : 'looseZero') : 'exact',
    firstMatchOnly: choiceParameter(context, 'options.multipleMatches', 0, ['first', 'all'], 'first') === 'first',
    refuseAbsent: typeVersion < 2.2,
  };
}

function namedFields(names: readonly string[], dotNotation: boolean): NamedField[] {
  return names.map((name) => ({ name, path: parseFieldPath(name, dotNotation) }));
}

function readMatchFields(context: ExecuteContext, dotNotation: boolean): ComparePlan['match'] {
  const pairs = listParameter(context, 'mergeByFields.values', 0).map(({ field1, field2 }) => ({
    field1: coercedText(field1).trim(),
    field2: coercedText(field2).trim(),
  }));
  if (pairs.length === 0 || pairs.some(({ field1, field2 }) => !field1 || !field2)) {
    throw new NodeOperationError('the parameter "mergeByFields" must name the fields to match, of both inputs', {
      description: 'Select a field of input A and a field of input B for each pair',
    });
  }
  const path = (name: string) => parseFieldPath(name, dotNotation);
  return pairs.map(({ field1, field2 }) => ({ field1: path(field1), field2: path(field2) }));
}

function readResolution(context: ExecuteContext, dotNotation: boolean): Resolution {
  const { typeVersion } = context;
  const fallback = typeVersion < 2.1 ? 'preferInput2' : 'includeBoth';
  const kind = choiceParameter(context, 'resolve', 0, ['preferInput1', 'preferInput2', 'mix', 'includeBoth'], fallback);
  switch (kind) {
    case 'preferInput1':
    case 'preferInput2':
      return { kind };
    case 'includeBoth':
      return { kind, shape: bothShape(typeVersion) };
    case 'mix':
      return {
        kind,
        prefer: choiceParameter(context, 'preferWhenMix', 0, ['input1', 'input2'], 'input1') === 'input1' ? 0 : 1,
        except: namedFields(namesParameter(context, 'exceptWhenMix', 0), dotNotation),
        missingAsNull: dotNotation,
      };
  }
}

function bothShape(typeVersion: number): BothShape {
  return {
    names: typeVersion < 2 ? ['input1', 'input2'] : ['inputA', 'inputB'],
    falsyAsNull: typeVersion < 2,
    missingDiffers: typeVersion < 2.1,
  };
}
