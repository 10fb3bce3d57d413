import { type ExecuteContext, NodeOperationError } from '@sluice/node-sdk';
import { type FieldPath, parseFieldPath } from '../../shared/field-path.ts';
import { usesDotNotation } from '../../shared/named-fields.ts';
import { booleanParameter, choiceParameter, listParameter, namesParameter } from '../../shared/parameters.ts';

/** What becomes of two items that match and differ. */
export type Resolution =
  | { kind: 'preferInput1' | 'preferInput2' | 'includeBoth' }
  /** One input's item, but for some fields that are the other's. */
  | { kind: 'mix'; prefer: 0 | 1; except: readonly string[] };

export interface ComparePlan {
  /** Fields that have to be equal for two items to match. */
  match: readonly { field1: FieldPath; field2: FieldPath }[];
  resolve: Resolution;
  /** Top-level fields that may differ. */
  skip: ReadonlySet<string>;
  /** Numbers equal their text, and nothing equals null and empty text. */
  fuzzy: boolean;
  firstMatchOnly: boolean;
}

export function readComparePlan(context: ExecuteContext): ComparePlan {
  const fuzzy = context.typeVersion < 2 ? 'options.fuzzyCompare' : 'fuzzyCompare';
  return {
    match: readMatchFields(context),
    resolve: readResolution(context),
    skip: new Set(namesParameter(context, 'options.skipFields', 0)),
    fuzzy: booleanParameter(context, fuzzy, 0, false),
    firstMatchOnly: choiceParameter(context, 'options.multipleMatches', 0, ['first', 'all'], 'first') === 'first',
  };
}

function readMatchFields(context: ExecuteContext): ComparePlan['match'] {
  const dotNotation = usesDotNotation(context, 0);
  const pairs = listParameter(context, 'mergeByFields.values', 0).map(({ field1, field2 }) => ({
    field1: String(field1 ?? '').trim(),
    field2: String(field2 ?? '').trim(),
  }));
  if (pairs.length === 0 || pairs.some(({ field1, field2 }) => !field1 || !field2)) {
    throw new NodeOperationError('the parameter "mergeByFields" has to name the fields to match, of both inputs', {
      description: 'Give a field of input A and one of input B for each pair',
    });
  }
  const path = (name: string) => parseFieldPath(name, dotNotation);
  return pairs.map(({ field1, field2 }) => ({ field1: path(field1), field2: path(field2) }));
}

function readResolution(context: ExecuteContext): Resolution {
  const fallback = context.typeVersion < 2.1 ? 'preferInput2' : 'includeBoth';
  const kind = choiceParameter(context, 'resolve', 0, ['preferInput1', 'preferInput2', 'mix', 'includeBoth'], fallback);
  if (kind !== 'mix') return { kind };
  const prefer = choiceParameter(context, 'preferWhenMix', 0, ['input1', 'input2'], 'input1') === 'input1' ? 0 : 1;
  return { kind, prefer, except: namesParameter(context, 'exceptWhenMix', 0) };
}
