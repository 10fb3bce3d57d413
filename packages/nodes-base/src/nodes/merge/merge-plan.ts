import type { FieldPath } from '../../shared/field-path.ts';
import type { ClashRules } from './merge-json.ts';

export const joinModes = ['keepMatches', 'keepNonMatches', 'keepEverything', 'enrichInput1', 'enrichInput2'] as const;
export type JoinMode = (typeof joinModes)[number];
export type OutputData = 'both' | 'input1' | 'input2';

/** Pairs of items of the first two inputs by equal fields. */
export interface FieldsPlan {
  kind: 'fields';
  fields: readonly { field1: FieldPath; field2: FieldPath }[];
  join: JoinMode;
  output: OutputData;
  /** Pair an item with its first match only. */
  firstMatchOnly: boolean;
  /** Numbers equal their text, and nothing equals null and empty text. */
  fuzzy: boolean;
  clash: ClashRules;
}

/** What a Merge node of any version is asked to do. Inputs are counted from 0. */
export type MergePlan =
  | { kind: 'append' }
  | { kind: 'choose'; input: number }
  | { kind: 'emptyItem' }
  | { kind: 'position'; unpaired: 'drop' | 'keep' | 'keepOfFirst'; clash: ClashRules }
  | { kind: 'all'; clash: ClashRules }
  | FieldsPlan;
