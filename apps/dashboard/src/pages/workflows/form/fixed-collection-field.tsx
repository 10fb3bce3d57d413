import type { NodePropertyGroup } from '@sluice/node-sdk/display';
import { ChevronDown, ChevronUp, Plus } from 'lucide-react';
import { memo } from 'react';
import { groupsOf, membersOf } from '../../../data/node-properties.ts';
import { ownValue } from '../../../data/own-value.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { useStable } from '../../../ui/use-stable.ts';
import { Entry } from './entry.tsx';
import { type PropertyFieldProps, PropertyGroup, PropertyList } from './property-list.tsx';
import { useEntryKeys } from './use-entry-keys.ts';
import { isMultiple, newEntry, objectOf, type Value, type Values, withEntry, without } from './values.ts';

/** Groups of members; each group has one entry or a list of entries. */
export function FixedCollectionField({ property, value, onChange }: PropertyFieldProps) {
  const values = objectOf(value);
  const set = (name: string, next: Value) => {
    const others = Object.entries(values).filter(([key]) => key !== name);
    onChange(Object.fromEntries(next === undefined ? others : [...others, [name, next]]));
  };
  const Group = isMultiple(property) ? Entries : Single;
  return (
    <PropertyGroup property={property}>
      {groupsOf(property).map((group) => (
        <Group key={group.name} group={group} value={ownValue(values, group.name)} onChange={(next) => set(group.name, next)} />
      ))}
    </PropertyGroup>
  );
}

/** A collection with `multipleValues`: a list of entries, each with its members. */
export function CollectionListField({ property, value, onChange }: PropertyFieldProps) {
  const isEmpty = Object.keys(objectOf(value)).length === 0;
  return (
    <PropertyGroup property={property}>
      <Entries group={{ ...property, values: membersOf(property) }} value={isEmpty ? [] : value} onChange={onChange} />
    </PropertyGroup>
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
  const edit = useStable((change: (entries: readonly Values[]) => Values[]) => onChange(change(entries)));
  return (
    <>
      {entries.map((entry, index) => (
        <ListEntry
          key={keys[index]}
          group={group}
          entry={entry}
          index={index}
          isLast={index === entries.length - 1}
          edit={edit}
        />
      ))}
      <Button icon={<Plus size={14} />} onClick={() => onChange([...entries, newEntry(group)])}>
        Add: {group.displayName}
      </Button>
    </>
  );
}

interface ListEntryProps {
  group: NodePropertyGroup;
  entry: Values;
  index: number;
  isLast: boolean;
  /** Stable. */
  edit(change: (entries: readonly Values[]) => Values[]): void;
}

const ListEntry = memo(({ group, entry, index, isLast, edit }: ListEntryProps) => {
  const title = `${group.displayName} ${index + 1}`;
  const swapWith = (other: number) =>
    edit((all) => withEntry(withEntry(all, index, all[other] as Values), other, all[index] as Values));
  return (
    <Entry
      title={title}
      onRemove={() => edit((all) => without(all, index))}
      actions={
        <>
          <IconButton label={`Move ${title} up`} disabled={index === 0} onClick={() => swapWith(index - 1)}>
            <ChevronUp size={14} />
          </IconButton>
          <IconButton label={`Move ${title} down`} disabled={isLast} onClick={() => swapWith(index + 1)}>
            <ChevronDown size={14} />
          </IconButton>
        </>
      }
    >
      <PropertyList properties={group.values} values={entry} onChange={(next) => edit((all) => withEntry(all, index, next))} />
    </Entry>
  );
});

function Single({ group, value, onChange }: GroupProps) {
  if (value === undefined) {
    return (
      <Button icon={<Plus size={14} />} onClick={() => onChange(newEntry(group))}>
        Add: {group.displayName}
      </Button>
    );
  }
  return (
    <Entry title={group.displayName} onRemove={() => onChange(undefined)}>
      <PropertyList properties={group.values} values={value} onChange={onChange} />
    </Entry>
  );
}
