import type { JsonValue } from '@sluice/node-sdk';
import type { FieldPath } from '../../shared/field-path.ts';
import type { Equality } from '../../shared/match-values.ts';
import type { ClashRules } from './merge-json.ts';

export const joinModes = ['keepMatches', 'keepNonMatches', 'keepEverything', 'enrichInput1', 'enrichInput2'] as const;
type JoinMode = (typeof joinModes)[number];
type OutputData = 'both' | 'input1' | 'input2';

/** Pairs of items of the first two inputs by equal fields. */
export interface FieldsPlan {
  kind: 'fields';
  fields: readonly { field1: FieldPath; field2: FieldPath }[];
  join: JoinMode;
  output: OutputData;
  /** Whether to pair an item only with its first match. */
  firstMatchOnly: boolean;
  equality: Equality;
  /** In version 2, a field to match that no item has is an error. */
  refuseAbsent: boolean;
  clash: ClashRules;
}

/** Items of input 1 by a field that an item of input 2 has or lacks: version 1. */
export interface KeyPlan {
  kind: 'key';
  mode: 'merge' | 'keep' | 'remove';
  field1: FieldPath;
  field2: FieldPath;
  overwrite: Overwrite;
}

/** Fields of input 1 that input 2 replaces: all fields, empty fields, or no fields. */
export type Overwrite = 'always' | 'blank' | 'undefined';

export interface PositionPlan {
  kind: 'position';
  unpaired: 'drop' | 'keep' | 'keepOfFirst';
  clash: ClashRules;
  /**
   * From version 3 on, the preferred input is merged once more at the end, which decides the order
   * of fields.
   */
  preferredAgain: boolean;
  /**
   * In version 2, if one input has no items, the other input's items are kept unpaired rather than
   * dropped.
   */
  ignoresEmptyInputs: boolean;
}

/** Rows of a query over the inputs as tables: from version 3 on. */
export interface SqlPlan {
  kind: 'sql';
  /** The author's text alternating with expression values; begins and ends with text. */
  parts: readonly JsonValue[];
  /** For the query's placeholders. */
  values: readonly JsonValue[];
  /** Number of tables. */
  tables: number;
  /** Whether an empty result yields an item `{ success: true }`. */
  emptyAsSuccess: boolean;
  /** From version 3.1 on, a row is paired with its source items, before with all items. */
  tracesRows: boolean;
}

/** Parameters of any version. Inputs are counted from 0. */
export type MergePlan =
  | { kind: 'append' }
  | { kind: 'choose'; input: number; needsAllInputs: boolean }
  | { kind: 'emptyItem'; pairedInputs: number; needsAllInputs: boolean }
  | PositionPlan
  | { kind: 'all'; clash: ClashRules }
  | FieldsPlan
  | KeyPlan
  | SqlPlan;
