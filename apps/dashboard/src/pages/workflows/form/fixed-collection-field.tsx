import type { NodePropertyGroup } from '@sluice/node-sdk/display';
import { ChevronDown, ChevronUp, Plus, Trash2 } from 'lucide-react';
import { ownValue } from '../../../data/own-value.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { withCode } from '../../../ui/with-code.tsx';
import { type PropertyFieldProps, PropertyList } from './property-list.tsx';
import { useEntryKeys } from './use-entry-keys.ts';
import { groupsOf, isMultiple, membersOf, newEntry, type Value, type Values, withEntry, without } from './values.ts';

/** Groups of members; each group has one entry or a list of entries. */
export function FixedCollectionField({ property, value, onChange }: PropertyFieldProps) {
  const values: Values = typeof value === 'object' && value !== null ? value : {};
  const set = (name: string, next: Value) => {
    const others = Object.entries(values).filter(([key]) => key !== name);
    onChange(Object.fromEntries(next === undefined ? others : [...others, [name, next]]));
  };
  return (
    <fieldset className="group">
      <legend>{property.displayName}</legend>
      {property.description && <p className="field-hint">{withCode(property.description)}</p>}
      {groupsOf(property).map((group) =>
        isMultiple(property) ? (
          <Entries
            key={group.name}
            group={group}
            value={ownValue(values, group.name)}
            onChange={(next) => set(group.name, next)}
          />
        ) : (
          <Single
            key={group.name}
            group={group}
            value={ownValue(values, group.name)}
            onChange={(next) => set(group.name, next)}
          />
        ),
      )}
    </fieldset>
  );
}

/** A collection with `multipleValues`: a list of entries, each with the members of the collection. */
export function CollectionListField({ property, value, onChange }: PropertyFieldProps) {
  const isEmpty = typeof value !== 'object' || value === null || Object.keys(value).length === 0;
  return (
    <fieldset className="group">
      <legend>{property.displayName}</legend>
      {property.description && <p className="field-hint">{withCode(property.description)}</p>}
      <Entries group={{ ...property, values: membersOf(property) }} value={isEmpty ? [] : value} onChange={onChange} />
    </fieldset>
  );
}

interface GroupProps {
  group: NodePropertyGroup;
  value: Value;
  onChange(value: Value): void;
}

function Entries({ group, value, onChange }: GroupProps) {
  const entries: Values[] = Array.isArray(value) ? value : value ? [value] : [];
  const keys = useEntryKeys(entries);
  const swap = (index: number, other: number) =>
    onChange(withEntry(withEntry(entries, index, entries[other] as Values), other, entries[index] as Values));
  return (
    <>
      {entries.map((entry, index) => (
        <div className="entry" key={keys[index]}>
          <div className="entry-bar">
            <span className="grow muted">
              {group.displayName} {index + 1}
            </span>
            <IconButton
              label={`Move ${group.displayName} ${index + 1} up`}
              disabled={index === 0}
              onClick={() => swap(index, index - 1)}
            >
              <ChevronUp size={14} />
            </IconButton>
            <IconButton
              label={`Move ${group.displayName} ${index + 1} down`}
              disabled={index === entries.length - 1}
              onClick={() => swap(index, index + 1)}
            >
              <ChevronDown size={14} />
            </IconButton>
            <IconButton label={`Remove ${group.displayName} ${index + 1}`} onClick={() => onChange(without(entries, index))}>
              <Trash2 size={14} />
            </IconButton>
          </div>
          <PropertyList
            properties={group.values}
            values={entry}
            onChange={(next) => onChange(withEntry(entries, index, next))}
          />
        </div>
      ))}
      <Button icon={<Plus size={14} />} onClick={() => onChange([...entries, newEntry(group)])}>
        Add: {group.displayName}
      </Button>
    </>
  );
}

function Single({ group, value, onChange }: GroupProps) {
  if (value === undefined) {
    return (
      <Button icon={<Plus size={14} />} onClick={() => onChange(newEntry(group))}>
        Add: {group.displayName}
      </Button>
    );
  }
  return (
    <div className="entry">
      <div className="entry-bar">
        <span className="grow muted">{group.displayName}</span>
        <IconButton label={`Remove ${group.displayName}`} onClick={() => onChange(undefined)}>
          <Trash2 size={14} />
        </IconButton>
      </div>
      <PropertyList properties={group.values} values={value} onChange={onChange} />
    </div>
  );
}
