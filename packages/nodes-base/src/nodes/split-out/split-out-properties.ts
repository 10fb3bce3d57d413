import type { NodeProperty } from '@sluice/node-sdk';
import { choice, choices, disableDotNotation, names, options, toggle, where } from '../../shared/properties.ts';

export const splitOutProperties: readonly NodeProperty[] = [
  names(
    'fieldToSplitOut',
    'Fields To Split Out',
    'Fields that contain lists, separated by commas; `$binary` means the item’s files',
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
    names('destinationFieldName', 'Destination Field Name', 'Output fields for the elements, separated by commas'),
    toggle('includeBinary', 'Include Binary', 'Whether each element gets the item’s files'),
  ]),
];
