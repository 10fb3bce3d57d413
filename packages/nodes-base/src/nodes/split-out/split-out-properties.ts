import type { NodeProperty } from '@sluice/node-sdk';
import { choice, choices, disableDotNotation, names, options, toggle, where } from '../../shared/properties.ts';

export const splitOutProperties: readonly NodeProperty[] = [
  names(
    'fieldToSplitOut',
    'Fields To Split Out',
    'Fields that hold lists, separated by commas; `$binary` means the files of the item',
    {
      required: true,
    },
  ),
  choice(
    'include',
    'Include',
    choices(
      ['noOtherFields', 'No Other Fields'],
      ['allOtherFields', 'All Other Fields'],
      ['selectedOtherFields', 'Selected Other Fields'],
    ),
    { description: 'Which other fields of the item each element gets' },
  ),
  names('fieldsToInclude', 'Fields To Include', 'Names separated by commas', where({ include: ['selectedOtherFields'] })),
  options([
    disableDotNotation,
    names('destinationFieldName', 'Destination Field Name', 'The fields that the elements come out in, separated by commas'),
    toggle('includeBinary', 'Include Binary', 'Whether each element gets the files of the item'),
  ]),
];
