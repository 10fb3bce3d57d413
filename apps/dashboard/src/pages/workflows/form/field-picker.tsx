import { useMemo } from 'react';
import { Select } from '../../../ui/fields.tsx';
import { fieldsOf } from '../model/fields-of.ts';
import { firstJson, lastInput } from '../model/run-data.ts';
import { usePreviewed } from './preview-context.ts';

/** JSON of the first item that reaches a node, from the last run; `undefined` if unknown. */
export function useInput(nodeName: string): unknown {
  return usePreviewed(({ draft, runData }) => firstJson(lastInput(draft, runData, nodeName)));
}

/** Offers the fields of the first item that reaches the node: users need not know their names. */
export function FieldPicker({ nodeName, onPick }: { nodeName: string; onPick(expression: string): void }) {
  const first = useInput(nodeName);
  const fields = useMemo(() => fieldsOf(first), [first]);
  if (fields.length === 0) return null;
  return (
    <Select
      className="field-picker"
      aria-label="Insert a field of the input"
      value=""
      options={[
        { value: '', label: 'Insert a field of the input …' },
        ...fields.map(({ path, expression, example }) => ({
          value: expression,
          label: example === undefined ? path : `${path}: ${example}`,
        })),
      ]}
      onChange={(expression) => expression !== '' && onPick(expression)}
    />
  );
}
