/** A step of a plan, as `EXPLAIN (FORMAT json)` returns it; rows only with `ANALYZE`. */
export interface PlanStep {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Sort Key'?: string[];
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanStep[];
}

/** All steps of the plan in the rows of an `EXPLAIN (FORMAT json)`. */
export function planSteps(rows: readonly { 'QUERY PLAN': [{ Plan: PlanStep }] }[]): PlanStep[] {
  return rows.flatMap((row) => withInner(row['QUERY PLAN'][0].Plan));
}

function withInner(step: PlanStep): PlanStep[] {
  return [step, ...(step.Plans ?? []).flatMap(withInner)];
}
