import { assignmentTypes, type NodeProperty } from '@sluice/node-sdk/display';
import { Plus, Trash2 } from 'lucide-react';
import { randomId } from '../../../data/ids.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/fields.tsx';
import { type PropertyFieldProps, PropertyGroup } from './property-list.tsx';
import { ScalarField } from './scalar-field.tsx';
import { useEntryKeys } from './use-entry-keys.ts';
import { objectOf, type Value, withEntry, without } from './values.ts';

type AssignmentType = (typeof assignmentTypes)[number];

interface Assignment {
  id?: string;
  name: string;
  type?: AssignmentType;
  value: Value;
}

/** How values of each type are edited. */
const valueProperties: Readonly<Record<AssignmentType, NodeProperty>> = {
  string: { displayName: 'Value', name: 'value', type: 'string', default: '' },
  number: { displayName: 'Value', name: 'value', type: 'number', default: 0 },
  boolean: { displayName: 'Value', name: 'value', type: 'boolean', default: false },
  array: { displayName: 'Value', name: 'value', type: 'json', default: '[]' },
  object: { displayName: 'Value', name: 'value', type: 'json', default: '{}' },
};

/** Fields with a name, a type, and a value. */
export function AssignmentsField({ property, value, onChange }: PropertyFieldProps) {
  const values = objectOf(value);
  const assignments: Assignment[] = Array.isArray(values['assignments']) ? values['assignments'] : [];
  const keys = useEntryKeys(assignments);
  const set = (next: Assignment[]) => onChange({ ...values, assignments: next });
  return (
    <PropertyGroup property={property}>
      {assignments.map((assignment, index) => (
        <div className="entry" key={keys[index]}>
          <div className="assignment-head">
            <TextField
              label="Name"
              value={assignment.name}
              onChange={(name) => set(withEntry(assignments, index, { ...assignment, name }))}
            />
            <SelectField
              label="Type"
              value={assignment.type ?? 'string'}
              options={typesFor(assignment).map((type) => ({ value: type, label: type }))}
              onChange={(next) => set(withEntry(assignments, index, retyped(assignment, next as AssignmentType)))}
            />
            <IconButton label={`Remove field ${assignment.name || index + 1}`} onClick={() => set(without(assignments, index))}>
              <Trash2 size={14} />
            </IconButton>
          </div>
          <ScalarField
            property={valueProperties[assignment.type ?? 'string'] ?? valueProperties.string}
            value={assignment.value}
            onChange={(next) => set(withEntry(assignments, index, { ...assignment, value: next }))}
          />
        </div>
      ))}
      <Button
        icon={<Plus size={14} />}
        onClick={() => set([...assignments, { id: randomId(), name: '', type: 'string', value: '' }])}
      >
        Add a field
      </Button>
    </PropertyGroup>
  );
}

/** Imported workflows contain other types, which the form shows, too. */
function typesFor({ type = 'string' }: Assignment): readonly string[] {
  return assignmentTypes.includes(type) ? assignmentTypes : [...assignmentTypes, type];
}

/** Expressions are kept; a fixed value of another type does not fit. */
function retyped(assignment: Assignment, type: AssignmentType): Assignment {
  const isDynamic = typeof assignment.value === 'string' && assignment.value.startsWith('=');
  return { ...assignment, type, value: isDynamic ? assignment.value : valueProperties[type].default };
}
