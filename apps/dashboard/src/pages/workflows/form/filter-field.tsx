import { filterOperations, type NodeProperty, type OperandType, operandTypes } from '@sluice/node-sdk/display';
import { Plus } from 'lucide-react';
import { ownValue } from '../../../data/own-value.ts';
import { Button } from '../../../ui/button.tsx';
import { Select } from '../../../ui/fields.tsx';
import { Entry } from './entry.tsx';
import { operationLabel } from './operation-label.ts';
import { type PropertyFieldProps, PropertyGroup } from './property-list.tsx';
import { ScalarField } from './scalar-field.tsx';
import { useEntryKeys } from './use-entry-keys.ts';
import { objectOf, type Values, withEntry, without } from './values.ts';

interface Condition {
  leftValue: unknown;
  rightValue: unknown;
  operator: { type: OperandType; operation: string; singleValue?: boolean };
}

const typeLabels: Readonly<Partial<Record<OperandType, string>>> = { string: 'text', dateTime: 'date & time', array: 'list' };

/** Operations without a second value. */
const unary = ['exists', 'notExists', 'empty', 'notEmpty', 'true', 'false'];
const left: NodeProperty = { displayName: 'Value', name: 'leftValue', type: 'string', default: '' };
const right: NodeProperty = { displayName: 'Compared with', name: 'rightValue', type: 'string', default: '' };
const emptyCondition: Condition = { leftValue: '=', rightValue: '', operator: { type: 'string', operation: 'equals' } };

/** Conditions that are combined with and, or or. */
export function FilterField({ property, value, onChange }: PropertyFieldProps) {
  const filter = objectOf(value);
  const conditions: Condition[] = Array.isArray(filter['conditions']) ? filter['conditions'] : [];
  const keys = useEntryKeys(conditions);
  const { combinator = 'and' } = filter;
  const change = (patch: Values) =>
    onChange({
      options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
      combinator,
      ...filter,
      ...patch,
    });
  return (
    <PropertyGroup property={property}>
      {conditions.map((condition, index) => (
        <div key={keys[index]}>
          {index > 0 && (
            <Select
              aria-label="How conditions are combined"
              className="combinator"
              value={combinator}
              options={[
                { value: 'and', label: 'and' },
                { value: 'or', label: 'or' },
              ]}
              onChange={(next) => change({ combinator: next })}
            />
          )}
          <ConditionFields
            number={index + 1}
            condition={condition}
            onChange={(next) => change({ conditions: withEntry(conditions, index, next) })}
            onRemove={() => change({ conditions: without(conditions, index) })}
          />
        </div>
      ))}
      <Button icon={<Plus size={14} />} onClick={() => change({ conditions: [...conditions, emptyCondition] })}>
        Add a condition
      </Button>
    </PropertyGroup>
  );
}

interface ConditionProps {
  number: number;
  condition: Condition;
  onChange(condition: Condition): void;
  onRemove(): void;
}

function ConditionFields({ number, condition, onChange, onRemove }: ConditionProps) {
  const { type = 'string', operation = 'equals' } = condition.operator ?? {};
  const operate = (nextType: OperandType, nextOperation: string) =>
    onChange({
      ...condition,
      rightValue: condition.rightValue ?? '',
      operator: { type: nextType, operation: nextOperation, ...(unary.includes(nextOperation) && { singleValue: true }) },
    });
  const operations = ownValue(filterOperations, type) ?? [];
  return (
    <Entry title={`Condition ${number}`} onRemove={onRemove}>
      <ScalarField
        property={left}
        value={condition.leftValue}
        onChange={(leftValue) => onChange({ ...condition, leftValue })}
      />
      <div className="operator">
        <Select
          aria-label={`Condition ${number}: type`}
          value={type}
          options={operandTypes.map((name) => ({ value: name, label: typeLabels[name] ?? name }))}
          onChange={(next) => operate(next as OperandType, filterOperations[next as OperandType].at(4) ?? 'exists')}
        />
        <Select
          aria-label={`Condition ${number}: operation`}
          value={operation}
          options={operations.map((name) => ({ value: name, label: operationLabel(name) }))}
          onChange={(next) => operate(type, next)}
        />
      </div>
      {!unary.includes(operation) && (
        <ScalarField
          property={type === 'number' ? { ...right, type: 'number', default: 0 } : right}
          value={condition.rightValue}
          onChange={(rightValue) => onChange({ ...condition, rightValue })}
        />
      )}
    </Entry>
  );
}
