import { isDisplayed } from '@sluice/node-sdk/display';
import { X } from 'lucide-react';
import { membersOf } from '../../../data/node-properties.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Select } from '../../../ui/fields.tsx';
import { useForm } from './form-context.ts';
import { PropertyField, type PropertyFieldProps, PropertyGroup } from './property-list.tsx';
import { objectOf } from './values.ts';

/** Optional members, which the author adds one by one. */
export function CollectionField({ property, value, onChange }: PropertyFieldProps) {
  const { parameters, typeVersion } = useForm();
  const values = objectOf(value);
  const members = membersOf(property).filter(({ displayOptions }) =>
    isDisplayed(displayOptions, { siblings: values, parameters, typeVersion }),
  );
  const [present, absent] = [true, false].map((isPresent) =>
    members.filter(({ name }) => Object.hasOwn(values, name) === isPresent),
  );
  const remove = (name: string) => onChange(Object.fromEntries(Object.entries(values).filter(([key]) => key !== name)));
  return (
    <PropertyGroup property={property}>
      {present?.map((member) => (
        <div className="removable" key={`${member.name} ${member.type}`}>
          <PropertyField
            property={member}
            value={values[member.name]}
            onChange={(next) => onChange({ ...values, [member.name]: next })}
          />
          <IconButton label={`Remove ${member.displayName}`} onClick={() => remove(member.name)}>
            <X size={14} />
          </IconButton>
        </div>
      ))}
      {absent && absent.length > 0 && (
        <Select
          aria-label={`Add to ${property.displayName}`}
          value=""
          options={[
            { value: '', label: 'Add …' },
            ...absent.map(({ name, displayName }) => ({ value: name, label: displayName })),
          ]}
          onChange={(name) => {
            const member = absent.find((one) => one.name === name);
            if (member) onChange({ ...values, [name]: member.default });
          }}
        />
      )}
    </PropertyGroup>
  );
}
